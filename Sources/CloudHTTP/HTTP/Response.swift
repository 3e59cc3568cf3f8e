package import NIOCore

/// An answer to a request.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    /// Headers except Date, Content-Length and ``common``, which the connection adds.
    package var headers: HTTPFields
    package var body: ResponseBody
    /// Headers shared by many answers, written from cached bytes.
    package var common = CommonFields()
    /// The shared head, for answers sent to many clients.
    package private(set) var head: AnswerHead?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with a shared head.
    package init(head: AnswerHead, body: ResponseBody) {
        self.init(status: head.status, headers: head.headers, body: body)
        self.head = head
    }

    /// Bytes of the body according to the headers; nil if unknown.
    package var contentLength: Int? { headers[.contentLength].flatMap { Int($0) } ?? body.contentLength }

    /// Turns the answer to a GET into the answer to a HEAD.
    package func withoutBody() -> Response {
        var head = self
        if let length = body.contentLength, !headers.contains(.contentLength) {
            head.headers[.contentLength] = String(length)
        }
        head.body = ResponseBody()
        return head
    }

    /// All headers except Date and Connection, in the order of sending.
    package var fields: HTTPFields {
        var fields = headers
        if !fields.contains(.contentLength), let length = body.contentLength {
            fields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        common.append(to: &fields)
        return fields
    }
}

/// Headers shared by all answers of a kind.
package struct CommonFields: Sendable {
    enum Readers: Sendable {
        case none
        /// Allows pages of any origin to read the answer.
        case any
        /// Allows pages of this origin to read answers to requests with credentials.
        case origin(String)
    }

    /// CORS readers of an API answer; none for pages.
    var crossOrigin = Readers.none
    /// The request's ID; nil to omit the header.
    package var requestUUID: String?

    package func append(to fields: inout HTTPFields) {
        switch crossOrigin {
        case .none: break
        case .any: fields.append(contentsOf: CrossOrigin.always + [CrossOrigin.anyOrigin])
        case .origin(let origin):
            fields.append(contentsOf: CrossOrigin.always)
            fields.append(HTTPField(name: .accessControl.allowOrigin, value: origin))
            fields.append(CrossOrigin.credentials)
        }
        if let requestUUID { fields.append(HTTPField(name: .apple.requestUUID, value: requestUUID)) }
    }
}

/// An answer's body: bytes, or a function that streams them.
package struct ResponseBody: Sendable {
    package typealias Write = @Sendable (inout any ResponseBodyWriter) async throws -> Void

    package enum Content: Sendable {
        case buffer(ByteBuffer)
        case array([UInt8])
        case pieces(length: Int?, Write)
    }

    package let content: Content

    package init() { content = .array([]) }
    package init(byteBuffer: ByteBuffer) { content = .buffer(byteBuffer) }
    package init(bytes: [UInt8]) { content = .array(bytes) }

    /// - Parameters:
    ///   - contentLength: the total in bytes; nil if unknown.
    ///   - write: writes the body and finishes it.
    package init(contentLength: Int? = nil, _ write: @escaping Write) {
        content = .pieces(length: contentLength, write)
    }

    /// False for a streamed body.
    package var isWhole: Bool { if case .pieces = content { false } else { true } }

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

/// Receives the pieces of a body.
package protocol ResponseBodyWriter {
    mutating func write(_ bytes: ByteBuffer) async throws
    mutating func finish() async throws
}
