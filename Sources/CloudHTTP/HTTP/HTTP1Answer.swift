package import NIOCore

/// Encodes HTTP/1.1 answers into one buffer, with cached bytes for shared headers.
package struct HTTP1Answer {
    /// Largest body copied into the buffer of the head, in bytes.
    static let mostJoined = 32 << 10

    private static let common = lines(CrossOrigin.always)
    private static let commonForAny = lines(CrossOrigin.always + [CrossOrigin.anyOrigin])
    private static let credentials = lines([CrossOrigin.credentials])
    private static let chunkEnd = Array("\r\n".utf8)
    static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

    private static func lines(_ fields: [HTTPField]) -> [UInt8] {
        fields.flatMap { Array("\($0.name.rawName): \($0.value)\r\n".utf8) }
    }

    /// Encodes an interim answer.
    static func informational(_ status: HTTPResponse.Status) -> ByteBuffer {
        ByteBuffer(string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\r\n")
    }

    /// The framing of a body (RFC 9112 §6).
    enum Framing { case none, length(Int), stated, chunks }

    package let response: Response
    package let isLast: Bool
    package let date: String
    let framing: Framing

    /// - Parameters:
    ///   - isLast: true to send `Connection: close`.
    ///   - date: the value of the Date header.
    package init(_ response: consuming Response, isLast: Bool, date: String) {
        (self.isLast, self.date) = (isLast, date)
        if !response.status.mayHaveBody {
            framing = .none
        } else if response.headers.contains(.contentLength) {
            framing = .stated
        } else if let length = response.body.contentLength {
            framing = .length(length)
        } else {
            framing = .chunks
        }
        self.response = response
    }

    var isChunked: Bool { if case .chunks = framing { true } else { false } }

    /// The encoded head, followed by `body`.
    package func bytes(_ allocator: ByteBufferAllocator, body: UnsafeRawBufferPointer? = nil) -> ByteBuffer {
        if let head = response.head?.bytes(of: self, headBytes) { return bytes(head, allocator, body: body) }
        let room = room + (body?.count ?? 0)
        var buffer = allocator.buffer(capacity: room)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { bytes in
            var cursor = Cursor(bytes)
            write(to: &cursor)
            if let body { cursor.write(body) }
            return cursor.written
        }
        return buffer
    }

    private func bytes(
        _ head: AnswerHead.Bytes, _ allocator: ByteBufferAllocator, body: UnsafeRawBufferPointer?
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: head.head.count + (body?.count ?? 0))
        buffer.writeBytes(head.head)
        buffer.setString(response.common.requestUUID ?? "", at: head.id.lowerBound)
        if let body { buffer.writeBytes(body) }
        return buffer
    }

    private func headBytes() -> AnswerHead.Bytes {
        let room = room
        var id = 0..<0
        let head = [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            var cursor = Cursor(UnsafeMutableRawBufferPointer(bytes))
            write(to: &cursor)
            (count, id) = (cursor.written, cursor.requestID)
        }
        return AnswerHead.Bytes(head: head, id: id)
    }

    /// An upper bound of the head's size in bytes.
    private var room: Int {
        var room = 256 + Self.commonForAny.count + response.status.reasonPhrase.utf8.count + date.utf8.count
        room += response.headers.room
        if case .origin(let origin) = response.common.crossOrigin { room += origin.utf8.count + 128 }
        return room + (response.common.requestUUID?.utf8.count ?? 0)
    }

    private func write(to cursor: inout Cursor) {
        if response.status.code == 200, response.status.reasonPhrase == "OK" {
            cursor.write("HTTP/1.1 200 OK\r\n" as StaticString)
        } else {
            cursor.write("HTTP/1.1 " as StaticString)
            cursor.write(response.status.code)
            cursor.write(" " as StaticString)
            cursor.write(response.status.reasonPhrase)
            cursor.endLine()
        }
        // An answer without a body states no length (RFC 9110 §8.6).
        let isWithoutLength = if case .none = framing { true } else { false }
        response.headers.withEach { field in
            if isWithoutLength, field.name == .contentLength { return }
            cursor.write(field.name.rawName)
            cursor.write(UInt8(ascii: ":"), UInt8(ascii: " "))
            cursor.write(field.value)
            cursor.endLine()
        }
        switch framing {
        case .none, .stated: break
        case .length(let count):
            cursor.write("Content-Length: " as StaticString)
            cursor.write(count)
            cursor.endLine()
        case .chunks: cursor.write("Transfer-Encoding: chunked\r\n" as StaticString)
        }
        switch response.common.crossOrigin {
        case .none: break
        case .any: cursor.write(Self.commonForAny)
        case .origin(let origin):
            cursor.write(Self.common)
            cursor.write("Access-Control-Allow-Origin: " as StaticString, origin)
            cursor.write(Self.credentials)
        }
        if let id = response.common.requestUUID {
            cursor.write("X-Apple-Request-UUID: " as StaticString)
            cursor.requestID = cursor.written..<cursor.written + id.utf8.count
            cursor.write(id)
            cursor.endLine()
        }
        cursor.write("Date: " as StaticString, date)
        if isLast { cursor.write("Connection: close\r\n" as StaticString) }
        cursor.endLine()
    }

    /// Encodes a chunk of a body (RFC 9112 §7.1).
    package static func chunk(_ bytes: ByteBuffer) -> ByteBuffer {
        var chunk = ByteBuffer()
        chunk.reserveCapacity(bytes.readableBytes + 20)
        chunk.writeString(String(bytes.readableBytes, radix: 16))
        chunk.writeBytes(chunkEnd)
        chunk.writeImmutableBuffer(bytes)
        chunk.writeBytes(chunkEnd)
        return chunk
    }
}

/// Appends bytes to preallocated memory, unchecked.
private struct Cursor {
    private let base: UnsafeMutableRawBufferPointer
    private(set) var written = 0
    /// The place of the request's ID among the bytes written; empty without an ID.
    var requestID = 0..<0

    init(_ base: UnsafeMutableRawBufferPointer) { self.base = base }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        UnsafeMutableRawBufferPointer(rebasing: base[written...]).copyMemory(from: bytes)
        written += bytes.count
    }

    mutating func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

    mutating func write(_ text: StaticString) {
        write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func write(_ text: String) { text.utf8Span.span.withUnsafeBytes { write($0) } }

    /// Writes a header line.
    mutating func write(_ name: StaticString, _ value: String) {
        write(name)
        write(value)
        endLine()
    }

    mutating func write(_ first: UInt8, _ second: UInt8) {
        (base[written], base[written + 1]) = (first, second)
        written += 2
    }

    mutating func endLine() { write(UInt8(ascii: "\r"), UInt8(ascii: "\n")) }

    /// Writes a non-negative number in decimal.
    mutating func write(_ number: Int) {
        var digits = (0 as UInt64, 0 as UInt64, 0 as UInt64)
        withUnsafeMutableBytes(of: &digits) { digits in
            var (rest, start) = (number, digits.count)
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            write(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }
}
