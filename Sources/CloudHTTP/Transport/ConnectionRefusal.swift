package import CloudModel
import NIOCore
package import NIOHTTP1

/// The answer to a request that the connection refuses: an error dictionary, readable from any web origin.
package struct ConnectionRefusal {
    package let error: ServerError
    /// Overrides the status of the error code.
    package var status: HTTPResponse.Status?

    package init(_ error: ServerError) { self.error = error }

    /// Refuses bytes that NIO's decoder could not parse.
    package init(_ fault: HTTPParserError) {
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

    /// - Parameter request: nil after a parse error.
    package func answer(to request: HTTPRequest?, _ trace: RequestTrace) -> Response {
        var response: Response
        // Browsers show the refusal to a page only after a successful preflight.
        if let request, request.method == .options {
            response = Response(status: .ok, headers: CrossOrigin.preflight(request.headerFields))
        } else {
            var writer = JSONWriter(capacity: 256)
            writer.object {
                $0.member("uuid", trace.id)
                $0.errorMembers(error)
            }
            response = .json(writer, status: status ?? error.code.status)
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            if request?.method == .head { response = response.withoutBody() }
        }
        CrossOrigin.decorate(&response, for: request?.headerFields ?? [:])
        response.common.requestUUID = trace.id
        return response
    }
}

/// Limits on the head of an HTTP/1.1 request.
enum HTTP1Limits {
    /// Bytes of the address and the headers together.
    static let headBytes = 64 << 10
    /// Bytes of the address, and of any single header.
    static let fieldBytes = 32 << 10
    static let fields = 256
    /// Bytes that NIO's decoder may buffer.
    static let decoderBytes = 128 << 10
}
