import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import NIOCore

extension ServerError.Code {
    /// The status of each code when it is about the whole request (reference A §9.3).
    var status: HTTPResponse.Status {
        switch self {
        case .accessDenied: .forbidden
        case .atomicError, .badRequest: .badRequest
        case .authenticationFailed: .unauthorized
        case .authenticationRequired: .misdirectedRequest
        case .conflict, .exists: .conflict
        case .internalError: .internalServerError
        case .notFound, .zoneNotFound: .notFound
        case .quotaExceeded: .contentTooLarge
        case .throttled: .tooManyRequests
        case .tryAgainLater: .serviceUnavailable
        case .validatingReferenceError: .preconditionFailed
        }
    }
}

extension Response {
    /// A request that failed as a whole (reference A §9.2), which its trail is told.
    ///
    /// - Parameter members: writes what the answer has beyond the error.
    static func failure(
        _ error: ServerError, status: HTTPResponse.Status? = nil, _ trace: RequestTrace, redirectURL: String? = nil,
        members: (inout JSONWriter) -> Void = { _ in }
    ) -> Response {
        trace.refuse(error)
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("uuid", trace.id)
            $0.member("serverErrorCode", error.code.rawValue)
            $0.member("reason", error.reason)
            if let seconds = error.retryAfter { $0.member("retryAfter", Int64(seconds)) }
            if let time = error.restoredTo { $0.member("restoredTo", time.milliseconds) }
            $0.member("redirectURL", redirectURL)
            members(&$0)
        }
        var response = Response.json(writer, status: status ?? error.code.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    static func json(_ writer: JSONWriter, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: writer.bytes)))
    }

    /// An answer that counts as in flight until the channel has room for the last of it; a large one is written in
    /// pieces.
    static func json(
        _ writer: JSONWriter, holding allowance: AnswerAllowance, through channel: any Channel
    ) -> Response {
        let bytes = writer.bytes
        guard bytes.count > AnswerAllowance.uncounted else { return .json(writer) }
        allowance.settle(bytes.count)
        return Response(
            status: .ok, headers: [.contentType: "application/json; charset=UTF-8"],
            body: ResponseBody(contentLength: bytes.count) { writer in
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)]))
                    // The channel takes it in a turn of its own, and only then says that it is full.
                    try await channel.eventLoop.submit {}.get()
                }
                try await writer.finish(nil)
                withExtendedLifetime(allowance) {}
            })
    }

    private static let piece = 256 << 10
}
