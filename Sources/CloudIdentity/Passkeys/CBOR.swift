import CloudModel

/// The values of CBOR (RFC 8949) that passkeys use.
enum CBORValue: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map(CBORMap)
    case bool(Bool)
    case null

    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var map: CBORMap? { if case .map(let map) = self { map } else { nil } }
}

/// A map whose keys are integers and texts, each once.
struct CBORMap: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let key: CBORValue
        let value: CBORValue
    }

    let members: [Member]

    var count: Int { members.count }
    var isEmpty: Bool { members.isEmpty }

    subscript(key: String) -> CBORValue? { members.first { $0.key.text?.isExactly(key) == true }?.value }
    subscript(key: Int64) -> CBORValue? { members.first { $0.key == .integer(key) }?.value }
}

/// Reads CBOR with definite lengths, in their shortest form, and without tags and floating-point numbers.
struct CBORReader {
    struct Malformed: Error {}

    private static let deepest = 8

    private let bytes: [UInt8]
    /// Where the next value begins.
    private(set) var place: Int
    /// Whether the members of maps must be in the order of CTAP2's canonical form.
    private let isOrdered: Bool

    init(_ bytes: [UInt8], from place: Int = 0, isOrdered: Bool = false) {
        self.bytes = bytes
        self.place = place
        self.isOrdered = isOrdered
    }

    /// Reads a value that is the whole of the bytes.
    static func whole(_ bytes: [UInt8], isOrdered: Bool = false) throws(Malformed) -> CBORValue {
        var reader = CBORReader(bytes, isOrdered: isOrdered)
        let value = try reader.next()
        guard reader.place == bytes.count else { throw Malformed() }
        return value
    }

    /// Reads the next value.
    mutating func next() throws(Malformed) -> CBORValue { try next(depth: 1) }

    private mutating func next(depth: Int) throws(Malformed) -> CBORValue {
        guard depth <= Self.deepest else { throw Malformed() }
        let first = try byte()
        if first >> 5 == 7 { return try simple(first) }
        let argument = try argument(first & 31)
        switch first >> 5 {
        case 0: return .integer(argument)
        case 1: return .integer(-1 - argument)
        case 2: return .bytes(Array(try take(argument)))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else { throw Malformed() }
            return .text(text)
        case 4: return .array(try elements(argument, depth))
        case 5: return .map(try members(argument, depth))
        default: throw Malformed()
        }
    }

    private func simple(_ first: UInt8) throws(Malformed) -> CBORValue {
        switch first {
        case 0xf4: return .bool(false)
        case 0xf5: return .bool(true)
        case 0xf6: return .null
        default: throw Malformed()
        }
    }

    /// The number of a value's head, up to `Int64.max`.
    private mutating func argument(_ short: UInt8) throws(Malformed) -> Int64 {
        guard short >= 24 else { return Int64(short) }
        guard short <= 27 else { throw Malformed() }
        let size = 1 << Int(short - 24)
        let number = try take(Int64(size)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let smallest: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
        guard number >= smallest, let argument = Int64(exactly: number) else { throw Malformed() }
        return argument
    }

    private mutating func elements(_ count: Int64, _ depth: Int) throws(Malformed) -> [CBORValue] {
        guard count <= bytes.count - place else { throw Malformed() }
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try next(depth: depth + 1)) }
        return elements
    }

    private mutating func members(_ count: Int64, _ depth: Int) throws(Malformed) -> CBORMap {
        guard count <= (bytes.count - place) / 2 else { throw Malformed() }
        var members: [CBORMap.Member] = []
        var keys = Set<[UInt8]>()
        var last: [UInt8] = []
        for _ in 0..<count {
            let start = place
            let key = try next(depth: depth + 1)
            guard key.integer != nil || key.text != nil else { throw Malformed() }
            // Shortest forms: equal keys are equal bytes.
            let spelled = Array(bytes[start..<place])
            guard keys.insert(spelled).inserted, !isOrdered || Self.isBefore(last, spelled) else { throw Malformed() }
            last = spelled
            members.append(CBORMap.Member(key: key, value: try next(depth: depth + 1)))
        }
        return CBORMap(members: members)
    }

    /// The order of keys in CTAP2: by type, then by length, then by bytes.
    private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard let first = left.first, let second = right.first else { return left.isEmpty }
        if first >> 5 != second >> 5 { return first >> 5 < second >> 5 }
        if left.count != right.count { return left.count < right.count }
        return left.lexicographicallyPrecedes(right)
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard place < bytes.count else { throw Malformed() }
        place += 1
        return bytes[place - 1]
    }

    private mutating func take(_ count: Int64) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw Malformed() }
        place += Int(count)
        return bytes[place - Int(count)..<place]
    }
}
