import CloudModel

/// A JSON object read strictly; faults name the missing or mistyped key.
struct TransferLine: Sendable {
    /// The reason why an object is invalid.
    struct Fault: Error, Hashable {
        let reason: String
    }

    /// The range of line numbers, positions, ids and byte counts. The upper bound leaves room for counting on.
    static let numbers: ClosedRange<Int64> = 0...1 << 53
    /// The same range for ids, which begin at 1.
    static let ids: ClosedRange<Int64> = 1...1 << 53
    /// The range of times, in milliseconds.
    private static let times: ClosedRange<Int64> = -(1 << 53)...1 << 53

    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    init(_ bytes: [UInt8]) throws(Fault) {
        let json: JSONValue
        do { json = try JSONParser.parse(bytes) } catch { throw Fault(reason: "not valid JSON: \(error.reason)") }
        guard let object = json.object else { throw Fault(reason: "must be an object, not \(json.kind)") }
        self.init(object)
    }

    /// - Throws: ``Fault`` for a member with an unknown key, which would otherwise be lost.
    func allow(_ keys: Set<String>) throws(Fault) {
        guard let stranger = members.members.first(where: { !keys.contains($0.key) }) else { return }
        throw Fault(reason: "'\(Naming.shown(stranger.key))' is unknown here")
    }

    func text(_ key: String) throws(Fault) -> String {
        try required(key, "a string", \.string)
    }

    func text(optional key: String) throws(Fault) -> String? {
        members[key] == nil ? nil : try text(key)
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(Fault) -> Int64 {
        let integer = try required(key, "a whole number", \.integer)
        guard range.contains(integer) else {
            throw Fault(reason: "'\(key)' is \(integer), and must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    func integer(optional key: String, in range: ClosedRange<Int64>) throws(Fault) -> Int64? {
        members[key] == nil ? nil : try integer(key, in: range)
    }

    func timestamp(_ key: String) throws(Fault) -> Timestamp {
        Timestamp(milliseconds: try integer(key, in: Self.times))
    }

    func timestamp(optional key: String) throws(Fault) -> Timestamp? {
        members[key] == nil ? nil : try timestamp(key)
    }

    func flag(_ key: String) throws(Fault) -> Bool { try required(key, "true or false", \.bool) }

    func object(_ key: String) throws(Fault) -> TransferLine {
        TransferLine(try required(key, "an object", \.object))
    }

    func objects(_ key: String) throws(Fault) -> [TransferLine] {
        try required(key, "an array", \.array).map { element throws(Fault) in
            guard let object = element.object else {
                throw Fault(reason: "'\(key)' must hold objects, not \(element.kind)")
            }
            return TransferLine(object)
        }
    }

    func texts(_ key: String) throws(Fault) -> [String] {
        try required(key, "an array", \.array).map { element throws(Fault) in
            guard let text = element.string else {
                throw Fault(reason: "'\(key)' must hold strings, not \(element.kind)")
            }
            return text
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, as type: Choice.Type = Choice.self
    ) throws(Fault) -> Choice where Choice.RawValue == String {
        let text = try text(key)
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw Fault(reason: "'\(key)' is '\(Naming.shown(text))', and must be one of \(known)")
        }
        return choice
    }

    /// A zone ID in full, as in responses.
    func zone(_ key: String = "zoneID") throws(Fault) -> ZoneID {
        let zone = try object(key)
        try zone.allow(["zoneName", "ownerRecordName", "zoneType"])
        return ZoneID(name: try zone.text("zoneName"), owner: try zone.text("ownerRecordName"))
    }

    private func required<T>(
        _ key: String, _ kind: String, _ read: (JSONValue) -> T?
    ) throws(Fault) -> T {
        guard let value = members[key] else { throw Fault(reason: "'\(key)' is missing") }
        guard let read = read(value) else { throw Fault(reason: "'\(key)' must be \(kind), not \(value.kind)") }
        return read
    }
}
