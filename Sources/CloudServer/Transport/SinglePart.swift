import NIOCore

/// Takes the file out of a `multipart/form-data` body of one part, as it comes (RFC 7578; clients 19).
struct SinglePart {
    /// The reason why a body is not one part.
    struct Fault: Error {
        let reason: String
    }

    private enum State {
        case headers, content, end
    }

    /// Bytes the part's own headers may have.
    private static let longestHeaders = 16 << 10

    private let delimiter: [UInt8]
    private var held: ByteBuffer
    private var state = State.headers

    /// - Parameter contentType: of the request; nil unless it is multipart.
    init?(contentType: String?) {
        guard let contentType, contentType.lowercased().hasPrefix("multipart/form-data") else { return nil }
        let parameters = contentType.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } }
        let boundary = parameters.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst("boundary=".count)
        let text = boundary.map { $0.filter { $0 != "\"" } } ?? ""
        guard (1...200).contains(text.utf8.count) else { return nil }
        delimiter = Array("\r\n--\(text)".utf8)
        // The first boundary has no line before it that would end.
        held = ByteBuffer(string: "\r\n")
    }

    /// True once the end of the part was read.
    var isWhole: Bool { state == .end }

    /// The file's bytes in the next chunk; there may be none.
    mutating func take(_ chunk: ByteBuffer) throws(Fault) -> ByteBuffer {
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
            // What follows the boundary decides what it is, and may not have come yet.
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
        // A boundary may have begun at the end.
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

    /// The offset of `text` in what is held. Every text looked for begins with CR, which is rare.
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
