import NIOCore

/// Takes the file out of a `multipart/form-data` body of one part, as it comes (RFC 7578; clients 19).
struct SinglePart {
    /// Why a body is not one part.
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
        let text = boundary.map { $0.filter { $0 != "\"" && $0 != " " } } ?? ""
        guard (1...200).contains(text.utf8.count) else { return nil }
        delimiter = Array("\r\n--\(text)".utf8)
        // The first boundary has no line before it that would end.
        held = ByteBuffer(string: "\r\n")
    }

    /// Whether the part's end was seen.
    var isWhole: Bool { state == .end }

    /// The file's bytes in the next chunk; there may be none.
    mutating func take(_ chunk: ByteBuffer) throws(Fault) -> ByteBuffer {
        if state == .end { return ByteBuffer() }
        held.writeImmutableBuffer(chunk)
        if state == .headers {
            guard try skipHeaders() else { return ByteBuffer() }
            state = .content
        }
        if let end = offset(of: delimiter), held.readableBytes >= end + delimiter.count + 2 {
            return try finish(at: end)
        }
        // The delimiter may have begun, and what follows it is looked at too.
        let safe = offset(of: delimiter) ?? max(0, held.readableBytes - delimiter.count)
        let content = held.readSlice(length: safe) ?? ByteBuffer()
        held.discardReadBytes()
        return content
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

    private mutating func finish(at end: Int) throws(Fault) -> ByteBuffer {
        let content = held.readSlice(length: end) ?? ByteBuffer()
        held.moveReaderIndex(forwardBy: delimiter.count)
        guard held.readableBytesView.starts(with: "--".utf8) else {
            throw Fault(reason: "there is more than one part, and one file is uploaded at a time")
        }
        state = .end
        held.clear()
        return content
    }

    /// Where `text` begins in what is held; every text looked for begins with CR, which is rare.
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
