import TestCloud
import CloudModel

/// Makes the calls of a game, from a seed and from what earlier answers gave out.
struct GamePlayer {
    var dice: SeededGenerator
    /// The last tag of each record that was seen, whatever its zone.
    private(set) var tags: [String: String] = [:]
    private(set) var syncTokens: [String] = []
    private(set) var changeTokens: [String] = []
    private(set) var handles: [String] = []
    private(set) var participants: [String] = []
    /// Calls that have a next page.
    private(set) var pages: [GameCall] = []

    static let people = 3

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    mutating func one<T>(of some: [T]) -> T { some[Int.random(in: 0..<some.count, using: &dice)] }
    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &dice) < one }
    mutating func some<T>(_ range: ClosedRange<Int>, _ make: (inout Self) -> T) -> [T] {
        (0..<Int.random(in: range, using: &dice)).map { _ in make(&self) }
    }

    /// Notes what an answer gives out. Texts are as ``GameSide`` has them.
    mutating func learn(_ answer: JSONValue, from call: GameCall) {
        if let marker = answer.object?["continuationMarker"]?.string {
            let body = String(call.body.dropLast()) + #","continuationMarker":"\#(marker)"}"#
            if !call.body.contains("continuationMarker") {
                pages.append(GameCall(person: call.person, endpoint: call.endpoint, body: body))
            }
        }
        learn(answer)
    }

    private mutating func learn(_ json: JSONValue) {
        switch json {
        case .array(let elements): for element in elements { learn(element) }
        case .object(let object):
            if let name = object["recordName"]?.string, let tag = object["recordChangeTag"]?.string {
                tags[name] = tag
            }
            if let token = object["syncToken"]?.string { Self.keep(token, in: &syncTokens) }
            if let token = object["changeToken"]?.string { Self.keep(token, in: &changeTokens) }
            if let handle = object["shortGUID"]?.string { Self.keep(handle, in: &handles) }
            if let id = object["participantId"]?.string { Self.keep(id, in: &participants) }
            for member in object.members { learn(member.value) }
        default: break
        }
    }

    private static func keep(_ text: String, in texts: inout [String]) {
        if !texts.contains(text) { texts.append(text) }
        if texts.count > 30 { texts.removeFirst() }
    }

    // MARK: Calls

    mutating func next() -> GameCall {
        if !pages.isEmpty, chance(1, in: 4) { return pages.removeLast() }
        let person = Int.random(in: 0...Self.people, using: &dice)
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<34: return modify(person)
        case 34..<54: return query(person)
        case 54..<62: return lookup(person)
        case 62..<72: return changes(person)
        case 72..<80: return zones(person)
        case 80..<86: return subscriptions(person)
        case 86..<91: return keyValues(person)
        case 91..<96: return sharing(person)
        default: return users(person)
        }
    }

    mutating func database() -> String { one(of: ["private", "private", "private", "public", "shared"]) }

    static let names = [
        "a", "b", "c", "d", "e", "f", "g", "h", "\u{e9}", "e\u{301}", "Z", "\u{1F3D4}", "cloudkit.zoneshare", "Share-a",
        "Share-b",
    ]
    private static let oddNames = [
        "", #"a\u0000b"#, #"\u0000"#, "_x", #"a\u0001"#, String(repeating: "n", count: 256), #"\u0085"#,
    ]

    /// As JSON has it within quotes.
    mutating func name() -> String { one(of: chance(1, in: 25) ? Self.oddNames : Self.names) }

    /// A member with a comma after it, or nothing for the default zone.
    mutating func zone(in database: String) -> String {
        switch one(of: database == "shared" ? [1, 1, 1, 2, 3] : [0, 0, 1, 1, 1, 2, 3]) {
        case 0: return ""
        case 1: return #""zoneID":\#(zoneID("A", in: database)),"#
        case 2: return #""zoneID":\#(zoneID("B", in: database)),"#
        default: return #""zoneID":\#(zoneID(one(of: ["none", "_defaultZone", #"A\u0000"#, ""]), in: database)),"#
        }
    }

    mutating func zoneID(_ name: String, in database: String) -> String {
        let isForeign = database == "shared" || chance(1, in: 30)
        let owner = isForeign ? #","ownerRecordName":"\#(one(of: ["#0", "#1", "#2", #"\u0000"#]))""# : ""
        return #"{"zoneName":"\#(name)"\#(owner)}"#
    }

    mutating func tag(of name: String) -> String {
        // What JSON has as an escape is the same text in no answer.
        if chance(1, in: 12) { return #","recordChangeTag":"zz""# }
        return tags[name].map { #","recordChangeTag":"\#($0)""# } ?? ""
    }
}
