/// Calls about zones, changes, shares, subscriptions, key-values and users.
extension GamePlayer {
    mutating func zones(_ person: Int) -> GameCall {
        let database = database()
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: return GameCall(person: person, endpoint: "\(database)/zones/list", body: "{}")
        case 1:
            let zones = some(1...4) {
                $0.zoneID($0.one(of: ["A", "B", "_defaultZone", "none", #"\u0000"#]), in: database)
            }
            return GameCall(
                person: person, endpoint: "\(database)/zones/lookup",
                body: #"{"zones":[\#(zones.joined(separator: ","))]}"#)
        default:
            let kind = chance(1, in: 5) ? "delete" : "create"
            let name = one(of: ["A", "A", "B", "B", "_defaultZone", #"C\u0000"#, "_c", ""])
            return GameCall(
                person: person, endpoint: "\(database == "public" ? "private" : database)/zones/modify",
                body:
                    #"{"operations":[{"operationType":"\#(kind)","zone":{"zoneID":\#(zoneID(name, in: "private"))}}]}"#)
        }
    }

    mutating func changes(_ person: Int) -> GameCall {
        let database = one(of: ["private", "private", "shared"])
        let token = syncTokens.isEmpty || chance(1, in: 3) ? "" : #","syncToken":"\#(one(of: syncTokens))""#
        let limit = chance(1, in: 2) ? #","resultsLimit":\#(one(of: ["1", "3"]))"# : ""
        let reverse = chance(1, in: 6) ? #","reverse":true"# : ""
        switch Int.random(in: 0..<4, using: &dice) {
        case 0:
            return GameCall(
                person: person, endpoint: "\(database)/changes/database",
                body: "{\(String((token + limit).dropFirst()))}")
        case 1:
            return GameCall(
                person: person, endpoint: "\(database)/records/changes",
                body: #"{"zoneID":\#(zoneID(one(of: ["A", "B"]), in: database))\#(token)\#(limit)\#(reverse)}"#)
        default:
            let zones = some(1...3) {
                #"{"zoneID":\#($0.zoneID($0.one(of: ["A", "B", #"A\u0000"#, "none"]), in: database))"#
                    + "\(token)\(limit)\(reverse)}"
            }
            return GameCall(
                person: person, endpoint: "\(database)/changes/zone",
                body: #"{"zones":[\#(zones.joined(separator: ","))]}"#)
        }
    }

    // MARK: Shares

    /// An operation that begins, changes or ends a share.
    mutating func shareOperation() -> String {
        let root = one(of: ["a", "b", "c"])
        let name = chance(1, in: 6) ? "cloudkit.zoneshare" : "Share-\(root)"
        let permission = one(of: ["NONE", "READ_ONLY", "READ_WRITE"])
        let participants = some(0...2) { $0.participant() }.joined(separator: ",")
        let list = chance(1, in: 2) ? #","participants":[\#(participants)]"# : ""
        switch Int.random(in: 0..<6, using: &dice) {
        case 0..<4:
            let tag = tags[root].map { #","recordChangeTag":"\#($0)""# } ?? ""
            return #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"cloudkit.share","#
                + #""forRecord":{"recordName":"\#(root)"\#(tag)},"publicPermission":"\#(permission)"\#(list),"fields":{}}}"#
        case 4:
            return
                #"{"operationType":"update","record":{"recordName":"\#(name)","recordType":"cloudkit.share"\#(tag(of: name)),"#
                + #""publicPermission":"\#(permission)"\#(list),"fields":{}}}"#
        default: return #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
        }
    }

    private mutating func participant() -> String {
        let email = one(of: ["ann@example.com", "ben@example.com", "new@example.com", #"x\u0000@example.com"#])
        let who =
            chance(1, in: 5)
            ? #""userRecordName":"\#(one(of: ["#0", "#1", #"\u0000"#]))""# : #""emailAddress":"\#(email)""#
        return #"{"type":"USER","permission":"\#(one(of: ["READ_ONLY", "READ_WRITE"]))","acceptanceStatus":"INVITED","#
            + #""userIdentity":{"lookupInfo":{\#(who)}}}"#
    }

    mutating func sharing(_ person: Int) -> GameCall {
        let handles = some(1...2) { $0.handle() }.joined(separator: ",")
        return GameCall(
            person: person, endpoint: "public/records/\(one(of: ["accept", "accept", "accept", "resolve"]))",
            body: #"{"shortGUIDs":[\#(handles)]}"#)
    }

    private mutating func handle() -> String {
        let handle = handles.isEmpty || chance(1, in: 8) ? one(of: ["nothing", #"a\u0000"#, ""]) : one(of: handles)
        return #"{"value":"\#(handle)"}"#
    }

    // MARK: Subscriptions

    mutating func subscriptions(_ person: Int) -> GameCall {
        let database = database()
        let id = one(of: ["s1", "s2", "s3", #"s\u0000"#])
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: return GameCall(person: person, endpoint: "\(database)/subscriptions/list", body: "{}")
        case 1:
            return GameCall(
                person: person, endpoint: "\(database)/subscriptions/lookup",
                body: #"{"subscriptions":[{"subscriptionID":"\#(id)"},{"subscriptionID":"s1"}]}"#)
        case 2:
            return GameCall(
                person: person, endpoint: "\(database)/subscriptions/modify",
                body: #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"\#(id)"}}]}"#)
        default:
            let kind = one(of: ["query", "query", "zone", "database"])
            let zone =
                kind == "zone" || chance(1, in: 3)
                ? #","zoneID":\#(zoneID(one(of: ["A", "B", "none"]), in: "private"))"# : ""
            let query =
                #","firesOn":["create","update","delete"],"query":{"recordType":"\#(one(of: Self.types))","#
                + #""filterBy":[\#(some(0...1) { $0.filter() }.joined(separator: ","))]}"#
            return GameCall(
                person: person, endpoint: "\(database)/subscriptions/modify",
                body: #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"\#(id)","#
                    + #""subscriptionType":"\#(kind)"\#(zone)\#(kind == "query" ? query : "")}}]}"#)
        }
    }

    // MARK: Key-values and users

    mutating func keyValues(_ person: Int) -> GameCall {
        let token = changeTokens.isEmpty || chance(1, in: 2) ? "" : #","changeToken":"\#(one(of: changeTokens))""#
        let keys = ["k", "l", "\u{e9}", "e\u{301}", #"k\u0000"#]
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: return GameCall(person: person, endpoint: "values", body: "{}", isKeyValue: true)
        case 1:
            return GameCall(
                person: person, endpoint: "changes", body: "{\(String(token.dropFirst()))}", isKeyValue: true)
        default:
            let value = one(of: ["1", "2.5", #""text""#, "true", "[1,2]", #""a\u0000b""#])
            let removed = chance(1, in: 2) ? #""\#(one(of: keys))""# : ""
            return GameCall(
                person: person, endpoint: "modify",
                body: #"{"set":{"\#(one(of: keys))":\#(value)},"remove":[\#(removed)]\#(token)}"#, isKeyValue: true)
        }
    }

    mutating func users(_ person: Int) -> GameCall {
        let email = one(of: ["ann@example.com", "nobody@example.com", #"a\u0000@example.com"#])
        let user = one(of: ["#0", "#2", "_nobody", #"_\u0000"#])
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: return GameCall(person: person, endpoint: "public/users/current", body: "{}")
        case 1: return GameCall(person: person, endpoint: "public/users/caller", body: "{}")
        case 2:
            return GameCall(
                person: person, endpoint: "public/users/lookup/email",
                body: #"{"users":[{"emailAddress":"\#(email)"}]}"#)
        case 3:
            return GameCall(
                person: person, endpoint: "public/users/lookup/id", body: #"{"users":[{"userRecordName":"\#(user)"}]}"#)
        default:
            return GameCall(
                person: person, endpoint: "public/users/discover",
                body: #"{"lookupInfos":[{"emailAddress":"\#(email)"},{"userRecordName":"\#(user)"}]}"#)
        }
    }
}
