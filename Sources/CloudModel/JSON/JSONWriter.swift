/// Appends JSON text to a byte array. Inserts commas; the caller balances brackets.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8]
    /// Errors written as parts of an answer, such as refused records; the request's log record includes them.
    package var refusals: [ServerError] = []

    package init(capacity: Int = 1024) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        separate()
        bytes.append(UInt8(ascii: "{"))
        try body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        body(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// A key that needs no escaping.
    package mutating func key(_ key: StaticString) {
        append { $0.put(key: key) }
    }

    package mutating func key(_ key: String) {
        string(key, ending: ":")
    }

    package mutating func string(_ string: String) { self.string(string, ending: "") }

    /// - Parameters:
    ///   - start: text before the string, without commas.
    ///   - end: text after the string; both are a few bytes long.
    private mutating func string(_ string: String, after start: StaticString = "", ending end: StaticString) {
        string.utf8Span.span.withUnsafeBufferPointer { text in
            if text.count <= Self.mostAtOnce, Self.firstToEscape(text, from: 0) == text.count {
                append {
                    $0.put(start)
                    $0.put(UInt8(ascii: "\""))
                    $0.put(text)
                    $0.put(UInt8(ascii: "\""))
                    $0.put(end)
                }
                return
            }
            append {
                $0.put(start)
                $0.put(UInt8(ascii: "\""))
            }
            appendEscaped(text)
            append(isNext: false) {
                $0.put(UInt8(ascii: "\""))
                $0.put(end)
            }
        }
    }

    package mutating func integer(_ value: Int64) { append { $0.put(value) } }

    /// Writes a finite number. Whole numbers keep `.0`, by which readers distinguish DOUBLE from INT64.
    package mutating func number(_ value: Double) {
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    package mutating func bool(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Appends a value that is already JSON text.
    package mutating func verbatim(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .integer(let integer): self.integer(integer)
        case .number(let number): self.number(number)
        case .string(let string): self.string(string)
        case .array(let elements): array { for element in elements { $0.value(element) } }
        case .object(let object):
            self.object {
                for member in object.members {
                    $0.key(member.key)
                    $0.value(member.value)
                }
            }
        }
    }

    // MARK: Members

    package mutating func member(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    package mutating func member(_ key: StaticString, _ value: Int64) {
        append {
            $0.put(key: key)
            $0.put(value)
        }
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        append {
            $0.put(key: key)
            $0.put(value ? "true" : "false")
        }
    }

    // MARK: Pieces

    /// The longest text, in bytes, that goes into a piece together with its surroundings.
    private static let mostAtOnce = 380

    /// Writes a string member. `start` contains the key and punctuation, at most a hundred bytes.
    mutating func member(_ start: StaticString, text: String) { string(text, after: start, ending: "") }

    /// Begins a member whose value is an object: the key, then the object's first bytes.
    mutating func begin(_ key: String, _ start: StaticString) { string(key, ending: start) }

    /// Appends a short text verbatim, inside a value.
    mutating func plain(_ text: StaticString) { append(isNext: false) { $0.put(text) } }

    /// Appends a short run of text at once, after a comma if needed.
    ///
    /// - Parameter isNext: whether the text begins with a value or a member.
    @inline(__always)
    mutating func append(isNext: Bool = true, _ write: (inout JSONPiece) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: JSONPiece.room, alignment: 1) { room in
            guard let start = room.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            var piece = JSONPiece(at: start)
            if isNext, needsComma { piece.put(UInt8(ascii: ",")) }
            write(&piece)
            bytes.append(contentsOf: piece.bytes)
        }
    }

    private var needsComma: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","): false
        default: true
        }
    }

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var index = 0
        while true {
            index = Self.firstToEscape(utf8, from: index)
            guard index < utf8.count else { break }
            let byte = utf8[index]
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
            index += 1
            start = index
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            default:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }

    /// The index of the first byte that JSON must escape, or the end.
    ///
    /// Eight bytes are tested at a time, because most text needs no escapes.
    private static func firstToEscape(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(utf8)
        while index + 8 <= utf8.count, !mayNeedEscape(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
            index += 8
        }
        while index < utf8.count, !needsEscape(utf8[index]) { index += 1 }
        return index
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// False if none of the eight bytes needs escaping: the subtractions set the high bit of each such byte.
    private static func mayNeedEscape(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ (ones &* 0x22)
        let backslashes = eight ^ (ones &* 0x5C)
        let found =
            ((eight &- ones &* 0x20) & ~eight) | ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return found & (ones &* 0x80) != 0
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
