import CloudModel

/// Damages requests: in their bytes, or in their structure. The same seed does the same damage.
package struct Mutator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    package mutating func number(below limit: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(limit))
    }

    package mutating func one(in count: Int) -> Bool { number(below: count) == 0 }
    package mutating func pick<T>(_ choices: [T]) -> T { choices[number(below: choices.count)] }

    /// Values that have broken servers before.
    private static let values: [JSONValue] = [
        .null, true, false, 0, -1, .integer(.max), .integer(.min), 0.5, 1e300, -1e-300, "", "_", "x", "\0", "é",
        "e\u{301}",
        "😀", "../../etc/passwd", "_defaultZone", "Users", "cloudkit.share", "AAAA", "STRING", "LIST", "___recordID",
        "%00",
        "'; DROP TABLE records; --", .string(String(repeating: "x", count: 300)), .array([]), .array([.null]),
        .array([1, "x", .null]), .object(JSONObject()), .object(JSONObject([.init(key: "value", value: .array([]))])),
        .object(JSONObject([.init(key: "recordName", value: "n1")])),
        .object(JSONObject([.init(key: "zoneName", value: "")])),
    ]

    package mutating func mutated(_ body: String) -> [UInt8] {
        if one(in: 3) { return damaged(Array(body.utf8)) }
        guard var value = try? JSONParser.parse(Array(body.utf8)) else { return Array(body.utf8) }
        for _ in 0...number(below: 2) { value = changed(value) }
        var writer = JSONWriter()
        writer.value(value)
        return one(in: 10) ? damaged(writer.bytes) : writer.bytes
    }

    package mutating func mutatedTarget(_ target: String) -> String {
        var bytes = Array(target.utf8)
        for _ in 0...number(below: 2) {
            let index = 1 + number(below: bytes.count - 1)
            bytes[index] = pick(Array("/%?&=.abc0_~+".utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 3) where !bytes.isEmpty {
            let index = number(below: bytes.count)
            switch number(below: 4) {
            case 0: bytes[index] = UInt8(number(below: 256))
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(pick(Array("{}[]\",:0\\\0".utf8)), at: index)
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }

    private mutating func changed(_ value: JSONValue) -> JSONValue {
        if one(in: 12) { return pick(Self.values) }
        switch value {
        case .object(let object) where !object.members.isEmpty:
            var members = object.members
            let index = number(below: members.count)
            switch number(below: 8) {
            case 0: members.remove(at: index)
            case 1: members.append(.init(key: pick(members).key, value: pick(Self.values)))
            case 2: members[index] = .init(key: members[index].key, value: pick(members).value)
            default: members[index] = .init(key: members[index].key, value: changed(members[index].value))
            }
            return .object(JSONObject(members))
        case .array(var elements) where !elements.isEmpty:
            let index = number(below: elements.count)
            switch number(below: 6) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            default: elements[index] = changed(elements[index])
            }
            return .array(elements)
        default: return pick(Self.values)
        }
    }
}
