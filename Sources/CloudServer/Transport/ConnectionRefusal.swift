import CloudModel
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The answer to a request that the connection refuses: an error dictionary that pages of any origin can read.
struct ConnectionRefusal {
    let error: ServerError
    /// A status other than the error code's.
    var status: HTTPResponse.Status?

    init(_ error: ServerError) { self.error = error }

    /// The refusal of bytes that are no request.
    init(_ fault: HTTPParserError) {
        if fault == .headerOverflow {
            error = .badRequest(
                "the address and the headers are too long, at most \(HTTP1Limits.headBytes) bytes are allowed, "
                    + "\(HTTP1Limits.fieldBytes) for one of them, and \(HTTP1Limits.fields) headers",
                .limit(HTTP1Limits.headBytes))
            status = .requestHeaderFieldsTooLarge
        } else if fault == .invalidEOFState {
            error = .badRequest("the request ends before it is complete")
        } else {
            error = .badRequest("this is no request of HTTP/1.1 (\(known: String(describing: fault)))")
        }
    }

    /// The parts of the answer.
    ///
    /// - Parameters:
    ///   - request: nil for bytes that are no request.
    ///   - isLast: whether the client is told that the connection closes; HTTP/2 has no word for that.
    func answer(to request: HTTPRequest?, _ trace: RequestTrace, isLast: Bool) -> [HTTPResponsePart] {
        var fields: HTTPFields = [:]
        // A browser shows a page the refusal only where it has let the page ask.
        if let request, request.method == .options { fields = CrossOrigin.preflight(request.headerFields) }
        let isPreflight = request?.method == .options
        CrossOrigin.decorate(&fields, for: request?.headerFields ?? [:])
        fields[.requestUUID] = trace.id
        if isLast { fields[.connection] = "close" }
        guard !isPreflight else {
            fields[.contentLength] = "0"
            return [.head(HTTPResponse(status: .ok, headerFields: fields)), .end(nil)]
        }
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("uuid", trace.id)
            $0.errorMembers(error)
        }
        fields[.contentType] = "application/json; charset=UTF-8"
        fields[.contentLength] = String(writer.bytes.count)
        if let seconds = error.retryAfter { fields[.retryAfter] = String(seconds) }
        let head = HTTPResponsePart.head(HTTPResponse(status: status ?? error.code.status, headerFields: fields))
        let body: [HTTPResponsePart] = request?.method == .head ? [] : [.body(ByteBuffer(bytes: writer.bytes))]
        return [head] + body + [.end(nil)]
    }
}

/// The bounds on the head of a request of HTTP/1.1.
enum HTTP1Limits {
    /// Bytes of the address and of all headers.
    static let headBytes = 64 << 10
    /// Bytes of the address, or of one header.
    static let fieldBytes = 32 << 10
    static let fields = 256
    /// Bytes that the decoder may keep, whatever it waits for.
    static let decoderBytes = 128 << 10
}
