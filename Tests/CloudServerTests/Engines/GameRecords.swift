/// Calls about records.
extension GamePlayer {
    static let types = ["Note", "Item", "Tree"]

    mutating func modify(_ person: Int) -> GameCall {
        let database = database()
        let zone = zone(in: database)
        let operations =
            chance(1, in: 6) ? [shareOperation()] : some(1...(chance(1, in: 8) ? 12 : 4)) { $0.operation() }
        let atomic = one(of: ["", #""atomic":true,"#, #""atomic":false,"#])
        return GameCall(
            person: person, endpoint: "\(database)/records/modify",
            body: #"{\#(zone)\#(atomic)"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    private mutating func operation() -> String {
        let kind = one(of: [
            "create", "create", "create", "update", "replace", "forceUpdate", "forceUpdate", "forceReplace", "delete",
            "forceDelete", "forceDelete",
        ])
        let name = name()
        let needsTag = kind == "update" || kind == "replace" || kind == "delete"
        let tag = needsTag || chance(1, in: 10) ? tag(of: name) : ""
        if kind.hasSuffix("elete") {
            return #"{"operationType":"\#(kind)","record":{"recordName":"\#(name)"\#(tag)}}"#
        }
        let type = chance(1, in: 20) ? one(of: ["", "9x", "Users", "cloudkit.share"]) : one(of: Self.types)
        let parent =
            chance(1, in: 5) ? #","parent":\#(chance(1, in: 6) ? "null" : #"{"recordName":"\#(self.name())"}"#)"# : ""
        let more = chance(1, in: 15) ? #","createShortGUID":true"# : ""
        let fields = some(0...4) { $0.field() }.joined(separator: ",")
        return #"{"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"\#(type)"\#(tag)"#
            + #"\#(parent)\#(more),"fields":{\#(fields)}}}"#
    }

    private mutating func reference(_ action: String? = nil) -> String {
        let action = action ?? one(of: ["NONE", "VALIDATE", "DELETE_SELF", "DELETE_SELF"])
        let zone = chance(1, in: 12) ? #","zoneID":{"zoneName":"A"}"# : ""
        return #"{"recordName":"\#(name())","action":"\#(action)"\#(zone)}"#
    }

    static let texts = ["", "a", "ab", "b", "Z", "\u{e9}", "the red fox", "Red \u{1F3D4}", #"a\u0000b"#, "42"]
    static let numbers = [
        "0", "1", "-1", "2.5", "9007199254740993", "9223372036854775807", "-9223372036854775808", "1e300", "-0.0",
    ]
    static let places = [
        #"{"latitude":50.1,"longitude":8.7}"#, #"{"latitude":-89.9,"longitude":179.9}"#,
        #"{"latitude":0,"longitude":-180}"#, #"{"latitude":50.2,"longitude":8.6}"#,
    ]

    private mutating func field() -> String {
        switch Int.random(in: 0..<14, using: &dice) {
        case 0, 1: return #""s":{"value":"\#(one(of: Self.texts))"}"#
        case 2: return #""s":{"value":null}"#
        case 3, 4: return #""i":{"value":\#(one(of: ["0", "1", "-1", "7", "9007199254740993"])),"type":"INT64"}"#
        case 5: return #""d":{"value":\#(one(of: ["0", "1.5", "-2", "1e300"])),"type":"DOUBLE"}"#
        case 6: return #""n":{"value":\#(one(of: Self.numbers))}"#
        case 7: return #""t":{"value":\#(one(of: ["0", "1700000000000", "-5"])),"type":"TIMESTAMP"}"#
        case 8: return #""l":{"value":[\#(some(0...3) { "\"\($0.one(of: Self.texts))\"" }.joined(separator: ","))]}"#
        case 9, 10: return #""r":{"value":\#(reference())}"#
        case 11:
            return
                #""rs":{"value":[\#(some(0...3) { $0.reference() }.joined(separator: ","))],"type":"REFERENCE_LIST"}"#
        case 12: return #""p":{"value":\#(one(of: Self.places)),"type":"LOCATION"}"#
        default:
            let value = one(of: ["true", "{}", #""x""#, "1", "[1]", "[null]", "null"])
            return #""\#(one(of: ["s", "i", "d", "l", "r", "p", "b"]))":{"value":\#(value)}"#
        }
    }

    mutating func lookup(_ person: Int) -> GameCall {
        let database = database()
        let records = some(1...6) { $0.lookedUp() }.joined(separator: ",")
        return GameCall(
            person: person, endpoint: "\(database)/records/lookup",
            body: #"{\#(zone(in: database))"records":[\#(records)]}"#)
    }

    private mutating func lookedUp() -> String {
        let keys = chance(1, in: 4) ? #","desiredKeys":["s","r"]"# : ""
        return #"{"recordName":"\#(name())"\#(keys)}"#
    }

    // MARK: Queries

    mutating func query(_ person: Int) -> GameCall {
        let database = database()
        let type = chance(1, in: 15) ? one(of: ["Nothing", "Users", "cloudkit.share", ""]) : one(of: Self.types)
        let filters = some(0...2) { $0.filter() }
        let sorts = some(0...2) { $0.sort() }
        let limit = chance(1, in: 2) ? #""resultsLimit":\#(one(of: ["1", "2", "3"])),"# : ""
        let zone = chance(1, in: 3) ? #""zoneWide":true,"# : zone(in: database)
        let keys = chance(1, in: 4) ? #""desiredKeys":["i"],"# : ""
        return GameCall(
            person: person, endpoint: "\(database)/records/query",
            body:
                #"{\#(zone)\#(limit)\#(keys)"query":{"recordType":"\#(type)","filterBy":[\#(filters.joined(separator: ","))],"#
                + #""sortBy":[\#(sorts.joined(separator: ","))]}}"#)
    }

    mutating func filter() -> String {
        let comparator = one(of: [
            "EQUALS", "EQUALS", "NOT_EQUALS", "IN", "NOT_IN", "LESS_THAN", "GREATER_THAN_OR_EQUALS", "BEGINS_WITH",
            "NOT_BEGINS_WITH", "LIST_CONTAINS", "NOT_LIST_CONTAINS", "CONTAINS_ALL_TOKENS", "NEAR",
        ])
        let field = one(of: [
            "s", "i", "d", "n", "t", "l", "r", "rs", "p", "recordName", "___recordID", "___createdBy", "___modTime",
            "___createTime", "___modifiedBy", "___parent", "nothing",
        ])
        let operand =
            comparator == "IN" || comparator == "NOT_IN"
            ? "[\(some(1...3) { $0.operand(field) }.joined(separator: ","))]" : operand(field)
        let isSystem = field == "recordName"
        let distance = comparator == "NEAR" ? #","distance":\#(one(of: ["10", "50000", "30000000"]))"# : ""
        return #"{"comparator":"\#(comparator)","\#(isSystem ? "systemFieldName" : "fieldName")":"\#(field)","#
            + #""fieldValue":{"value":\#(operand)}\#(distance)}"#
    }

    private mutating func operand(_ field: String) -> String {
        switch field {
        case "s", "l", "nothing": return "\"\(one(of: Self.texts))\""
        case "i", "d", "n", "t": return one(of: Self.numbers)
        case "p": return one(of: Self.places)
        case "___modTime", "___createTime": return one(of: ["0", "1700000010000", "1800000000000"])
        case "___createdBy", "___modifiedBy": return #"{"recordName":"\#(one(of: ["#0", "#1", #"\u0000"#]))"}"#
        case "recordName", "___recordID":
            return chance(1, in: 2) ? "\"\(name())\"" : #"{"recordName":"\#(name())"}"#
        default: return reference("NONE")
        }
    }

    private mutating func sort() -> String {
        let ascending = one(of: ["", #","ascending":false"#])
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: return #"{"systemFieldName":"recordName"\#(ascending)}"#
        case 1: return #"{"fieldName":"p","relativeLocation":{"value":\#(one(of: Self.places))}\#(ascending)}"#
        case 2: return #"{"fieldName":"\#(one(of: ["___recordID", "___modTime", "___createdBy"]))"\#(ascending)}"#
        default: return #"{"fieldName":"\#(one(of: ["s", "i", "d", "n", "t", "r", "l"]))"\#(ascending)}"#
        }
    }
}
