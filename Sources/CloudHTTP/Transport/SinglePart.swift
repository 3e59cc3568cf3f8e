package import NIOCore

/// Extracts the file from a streamed `multipart/form-data` body of one part (RFC 7578; clients 19).
package struct SinglePart {
    /// Thrown for a malformed body, or for several parts.
    package struct Fault: Error {
        package let reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    private enum State {
        case headers, content, end
    }

    /// Limit on the headers of the part, in bytes.
    private static let longestHeaders = 16 << 10

    private let delimiter: [UInt8]
    private var held: ByteBuffer
    private var state = State.headers

    /// - Parameter contentType: the request's Content-Type. The initializer returns nil for other types, and for a missing
    ///   boundary.
    package init?(contentType: String?) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        let parameters = contentType.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
        let boundary = parameters.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst("boundary=".count)
        let text = boundary.map { $0.filter { $0 != "\"" } } ?? ""
        guard (1...200).contains(text.utf8.count) else { return nil }
        delimiter = Array("\r\n--\(text)".utf8)
        // The first boundary lacks the line break that precedes all others.
        held = ByteBuffer(string: "\r\n")
    }

    /// True after the closing boundary.
    package var isWhole: Bool { state == .end }

    /// The file's bytes in `chunk`, possibly none.
    package mutating func take(_ chunk: ByteBuffer) throws(Fault) -> ByteBuffer {
        if state == .end { return ByteBuffer() }
        held.writeImmutableBuffer(chunk)
        if state == .headers {
            guard try skipHeaders() else { return ByteBuffer() }
            state = .content
        }
        var content = ByteBuffer()
        while let end = offset(of: delimiter) {
            append(held.readSlice(length: end), to: &content)
            let rest = held.readableBytesView.dropFirst(delimiter.count).prefix(2)
            // The two bytes after a boundary tell whether the body ends; wait for both.
            guard rest.count == 2 else { return content }
            if rest.elementsEqual("--".utf8) {
                state = .end
                held.clear()
                return content
            }
            if rest.elementsEqual("\r\n".utf8) {
                throw Fault(reason: "the body has more than one part; upload one file per request")
            }
            append(held.readSlice(length: delimiter.count), to: &content)
        }
        // Hold back a possible start of the boundary.
        append(held.readSlice(length: max(0, held.readableBytes - delimiter.count)), to: &content)
        held.discardReadBytes()
        return content
    }

    private func append(_ slice: ByteBuffer?, to content: inout ByteBuffer) {
        guard let slice else { return }
        if content.readableBytes == 0 { content = slice } else { content.writeImmutableBuffer(slice) }
    }

    private mutating func skipHeaders() throws(Fault) -> Bool {
        let begin = delimiter.count
        guard held.readableBytes >= begin else { return false }
        guard offset(of: delimiter) == 0 else { throw Fault(reason: "the body does not begin with its boundary") }
        guard let end = offset(of: Array("\r\n\r\n".utf8)) else {
            if held.readableBytes > Self.longestHeaders { throw Fault(reason: "the headers of the part are too long") }
            return false
        }
        held.moveReaderIndex(forwardBy: end + 4)
        return true
    }

    /// The offset of `text` in the held bytes. Each delimiter begins with CR, a rare byte, which speeds up the search.
    private func offset(of text: [UInt8]) -> Int? {
        let bytes = held.readableBytesView
        var start = bytes.startIndex
        while let next = bytes[start...].firstIndex(of: 13) {
            if bytes[next...].starts(with: text) { return next - bytes.startIndex }
            start = next + 1
        }
        return nil
    }
}
