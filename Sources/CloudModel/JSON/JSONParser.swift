import CSimdJSON
import Synchronization

/// Parses bytes into a `JSONValue` with simdjson, which also refuses invalid UTF-8.
package enum JSONParser {
    /// The maximum nesting depth, far below a thread's stack size and far above real requests.
    package static let maximumDepth = 64

    /// The reason why a document was refused, in simdjson's words.
    package struct Failure: Error, Hashable {
        package let reason: String
    }

    /// Parses a whole document.
    ///
    /// Whole numbers beyond 64 bits become doubles, as in JavaScript.
    ///
    /// - Throws: ``Failure`` for invalid JSON or UTF-8, nesting beyond ``maximumDepth``, or a number beyond a double's range.
    package static func parse(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> JSONValue {
        let parser = pool.take()
        defer { pool.give(parser, documentSize: bytes.count) }
        var document = csimdjson_parse(
            parser.handle, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? emptyDocument, bytes.count)
        if document.is_number_error != 0, let spelled = LargeNumbers.spelledAsDoubles(bytes) {
            document = csimdjson_parse(parser.handle, spelled, spelled.count)
        }
        if let error = document.error { throw Failure(reason: String(cString: error)) }
        var tape = Tape(words: document.tape, strings: document.strings, position: 1)
        return tape.next()
    }

    package static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        let result: Result<JSONValue, Failure> = bytes.withUnsafeBytes { raw in
            do throws(Failure) { return .success(try parse(raw)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns true if the bytes are a single valid JSON object; builds no value.
    package static func isObject(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "{") else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            let parser = pool.take()
            defer { pool.give(parser, documentSize: bytes.count) }
            if csimdjson_is_plain_object(parser.handle, bytes.baseAddress, bytes.count) != 0 { return true }
            let document = csimdjson_parse(parser.handle, bytes.baseAddress ?? emptyDocument, bytes.count)
            // A number too large for 64 bits is still valid JSON.
            return document.error == nil || document.is_number_error != 0
        }
    }

    private static let pool = ParserPool()
    // simdjson needs an address even for an empty document; never written to.
    nonisolated(unsafe) private static let emptyDocument = UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}

/// Parsers keep their buffers between documents; parsers grown by a huge document are freed.
private final class ParserPool: Sendable {
    struct Parser: @unchecked Sendable {
        // Owned by a single parse at a time: either in the pool or in use by `parse`.
        let handle: OpaquePointer
    }

    private static let largestKept = 1 << 20
    private static let mostKept = 16
    private let idle = Mutex<[Parser]>([])

    func take() -> Parser {
        if let parser = idle.withLock({ $0.popLast() }) { return parser }
        guard let handle = csimdjson_parser_create(JSONParser.maximumDepth) else {
            preconditionFailure("out of memory")
        }
        return Parser(handle: handle)
    }

    func give(_ parser: Parser, documentSize: Int) {
        let kept =
            documentSize <= Self.largestKept
            && idle.withLock { idle in
                guard idle.count < Self.mostKept else { return false }
                idle.append(parser)
                return true
            }
        if !kept { csimdjson_parser_destroy(parser.handle) }
    }
}

/// Walks simdjson's tape: 64-bit words of a type letter and a payload (simdjson's `doc/tape.md`).
private struct Tape {
    let words: UnsafePointer<UInt64>
    let strings: UnsafePointer<UInt8>
    var position: Int

    mutating func next() -> JSONValue {
        let word = words[position]
        position += 1
        switch UInt8(word >> 56) {
        case UInt8(ascii: "{"): return .object(object(end: Int(word & 0xFFFF_FFFF), count: Int(word >> 32) & 0xFF_FFFF))
        case UInt8(ascii: "["): return .array(array(end: Int(word & 0xFFFF_FFFF), count: Int(word >> 32) & 0xFF_FFFF))
        case UInt8(ascii: "\""): return .string(string(at: word))
        case UInt8(ascii: "l"):
            position += 1
            return .integer(Int64(bitPattern: words[position - 1]))
        case UInt8(ascii: "u"):
            position += 1
            return .number(Double(words[position - 1]))
        case UInt8(ascii: "d"):
            position += 1
            return .number(Double(bitPattern: words[position - 1]))
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        default: return .null
        }
    }

    private mutating func object(end: Int, count: Int) -> JSONObject {
        var object = JSONObject()
        object.reserveCapacity(count)
        while position < end - 1 {
            let key = string(at: words[position])
            position += 1
            object.set(JSONObject.Member(key: key, value: next()))
        }
        position = end
        return object
    }

    private mutating func array(end: Int, count: Int) -> [JSONValue] {
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        while position < end - 1 { elements.append(next()) }
        position = end
        return elements
    }

    private func string(at word: UInt64) -> String {
        let start = strings + Int(word & 0xFF_FFFF_FFFF_FFFF)
        let count = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        return String(decoding: UnsafeBufferPointer(start: start + 4, count: Int(count)), as: UTF8.self)
    }
}
