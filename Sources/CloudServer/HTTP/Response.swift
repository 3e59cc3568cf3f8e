package import NIOCore

/// The answer to a request.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    /// The headers beside those that the connection adds: Date, Content-Length and those of ``common``.
    package var headers: HTTPFields
    package var body: ResponseBody
    /// The headers that many answers share. They are written from bytes made once.
    var common = CommonFields()
    /// The head that it was made with; nil for one of its own.
    private(set) var head: AnswerHead?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer whose head is sent many times.
    init(head: AnswerHead, body: ResponseBody) {
        self.init(status: head.status, headers: head.headers, body: body)
        self.head = head
    }

    /// Bytes of the body, as the headers tell them; nil where they are not known before.
    package var contentLength: Int? { headers[.contentLength].flatMap { Int($0) } ?? body.contentLength }

    /// The answer to a HEAD that this is the answer to a GET for.
    package func withoutBody() -> Response {
        var head = self
        if let length = body.contentLength, !headers.contains(.contentLength) {
            head.headers[.contentLength] = String(length)
        }
        head.body = ResponseBody()
        return head
    }

    /// All headers but Date and Connection, in the order in which they are sent.
    package var fields: HTTPFields {
        var fields = headers
        if !fields.contains(.contentLength), let length = body.contentLength {
            fields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        common.append(to: &fields)
        return fields
    }
}

/// The headers that every answer of a kind has.
struct CommonFields: Sendable {
    enum Readers: Sendable {
        case none
        /// Pages of any origin may read the answer.
        case any
        /// Pages of this origin may read the answer to a request with credentials.
        case origin(String)
    }

    /// Nothing for pages; for answers to programs, who may read them.
    var crossOrigin = Readers.none
    /// The id of the request; nil for an answer without one.
    var requestUUID: String?

    func append(to fields: inout HTTPFields) {
        switch crossOrigin {
        case .none: break
        case .any: fields.append(contentsOf: CrossOrigin.always + [CrossOrigin.anyOrigin])
        case .origin(let origin):
            fields.append(contentsOf: CrossOrigin.always)
            fields.append(HTTPField(name: .accessControlAllowOrigin, value: origin))
            fields.append(CrossOrigin.credentials)
        }
        if let requestUUID { fields.append(HTTPField(name: .requestUUID, value: requestUUID)) }
    }
}

/// The body of an answer: its bytes, or a function that writes it piece by piece.
package struct ResponseBody: Sendable {
    package typealias Write = @Sendable (inout any ResponseBodyWriter) async throws -> Void

    enum Content: Sendable {
        case buffer(ByteBuffer)
        case array([UInt8])
        case pieces(length: Int?, Write)
    }

    let content: Content

    package init() { content = .array([]) }
    package init(byteBuffer: ByteBuffer) { content = .buffer(byteBuffer) }
    package init(bytes: [UInt8]) { content = .array(bytes) }

    /// - Parameters:
    ///   - contentLength: bytes that will be written; nil where they are not known before.
    ///   - write: writes the body and finishes it.
    package init(contentLength: Int? = nil, _ write: @escaping Write) {
        content = .pieces(length: contentLength, write)
    }

    /// True for a body whose bytes are there.
    var isWhole: Bool { if case .pieces = content { false } else { true } }

    package var contentLength: Int? {
        switch content {
        case .buffer(let bytes): bytes.readableBytes
        case .array(let bytes): bytes.count
        case .pieces(let length, _): length
        }
    }

    package func write(_ writer: any ResponseBodyWriter) async throws {
        var writer = writer
        switch content {
        case .buffer(let bytes): try await writer.write(bytes)
        case .array(let bytes): try await writer.write(ByteBuffer(bytes: bytes))
        case .pieces(_, let write): return try await write(&writer)
        }
        try await writer.finish()
    }
}

/// Takes the pieces of a body.
package protocol ResponseBodyWriter {
    mutating func write(_ bytes: ByteBuffer) async throws
    /// Ends the body.
    mutating func finish() async throws
}
