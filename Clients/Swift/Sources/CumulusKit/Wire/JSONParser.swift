import Foundation

extension JSON {
    struct Malformed: Error {
        let offset: Int
    }

    init(parsing data: Data) throws {
        self = try data.withUnsafeBytes { bytes in
            var parser = JSONParser(bytes: bytes)
            return try parser.document()
        }
    }
}

/// Parses a document; invalid input throws ``JSON/Malformed`` and never traps.
private struct JSONParser {
    private static let deepest = 128

    let bytes: UnsafeRawBufferPointer
    var offset = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func document() throws -> JSON {
        let value = try value(depth: 0)
        guard next == nil else { throw malformed }
        return value
    }

    private var malformed: JSON.Malformed { JSON.Malformed(offset: offset) }

    /// The next byte other than white space.
    private var next: UInt8? {
        mutating get {
            while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
            return offset < bytes.count ? bytes[offset] : nil
        }
    }

    private mutating func value(depth: Int) throws -> JSON {
        guard depth < Self.deepest, let first = next else { throw malformed }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws -> JSON {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[offset..<end].elementsEqual("\(word)".utf8) else { throw malformed }
        offset = end
        return value
    }

    private mutating func take(_ byte: UInt8) throws {
        guard next == byte else { throw malformed }
        offset += 1
    }

    private mutating func array(depth: Int) throws -> JSON {
        try take(UInt8(ascii: "["))
        var items: [JSON] = []
        if next == UInt8(ascii: "]") {
            offset += 1
            return .array(items)
        }
        while true {
            items.append(try value(depth: depth))
            if next == UInt8(ascii: ",") { offset += 1 } else { break }
        }
        try take(UInt8(ascii: "]"))
        return .array(items)
    }

    private mutating func object(depth: Int) throws -> JSON {
        try take(UInt8(ascii: "{"))
        var members: [String: JSON] = [:]
        if next == UInt8(ascii: "}") {
            offset += 1
            return .object(members)
        }
        while true {
            guard next == UInt8(ascii: "\"") else { throw malformed }
            let key = try string()
            try take(UInt8(ascii: ":"))
            members[key] = try value(depth: depth)
            if next == UInt8(ascii: ",") { offset += 1 } else { break }
        }
        try take(UInt8(ascii: "}"))
        return .object(members)
    }

    private mutating func number() throws -> JSON {
        let start = offset
        while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if let whole = Int64(text), text != "-0" { return .integer(whole) }
        guard let number = Double(text) else { throw malformed }
        return .number(number)
    }

    private mutating func string() throws -> String {
        offset += 1
        var text: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            text.append(contentsOf: String(try escaped()).utf8)
        }
        throw malformed
    }

    private mutating func escaped() throws -> Character {
        guard offset < bytes.count else { throw malformed }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return Character(try scalar())
        default: return Character(UnicodeScalar(byte))
        }
    }

    /// The scalar of `\uXXXX` or of a surrogate pair; an unpaired surrogate gives U+FFFD.
    private mutating func scalar() throws -> UnicodeScalar {
        let first = try unit()
        guard (0xD800..<0xDC00).contains(first), offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return UnicodeScalar(first) ?? "\u{FFFD}" }
        offset += 2
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
        return UnicodeScalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func unit() throws -> UInt32 {
        let end = offset + 4
        guard end <= bytes.count,
            let unit = UInt32(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16)
        else { throw malformed }
        offset = end
        return unit
    }
}
