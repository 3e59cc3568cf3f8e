package import CloudModel
package import Logging
import NIOCore
package import NIOHTTP1

/// The outcome of a failed request.
package enum Outcome {
    case refused(RequestRefusal)
    /// The client has disconnected; nothing is answered or logged.
    case hungUp
    /// The connection answers with status 400 and closes.
    case notHTTP(HTTPParserError)
    case fault(any Error)

    package init(_ error: any Error) {
        self =
            switch error {
            case let error as ServerError where error.code != .internalError: .refused(RequestRefusal(error))
            case let error as any Refusing: .refused(error.refusal)
            case let error as HTTPParserError: .notHTTP(error)
            case is CancellationError, is ChannelError: .hungUp
            default: .fault(error)
            }
    }
}

/// Renders errors for one kind of answer.
package protocol OutcomeRenderer {
    func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) async throws -> Response
    /// The answer to a server fault.
    func failed(_ trace: RequestTrace) throws -> Response
}

extension OutcomeRenderer {
    /// Renders an error as an answer, and notes or logs the error.
    ///
    /// - Throws: the parser's error for a malformed HTTP request.
    package func render(_ error: any Error, _ trace: RequestTrace, _ logger: Logger) async throws -> Response {
        switch Outcome(error) {
        case .refused(let refusal):
            refusal.note(in: trace)
            if let remark = refusal.remark {
                logger.error(
                    "a request could not be served", metadata: ["error": "\(remark)", "request": "\(trace.id)"])
            }
            var response = try await refused(refusal, trace)
            refusal.decorate(&response)
            return response
        case .hungUp:
            return Response(status: .serviceUnavailable)
        case .notHTTP(let error):
            throw error
        case .fault(let error):
            logger.error(
                "unexpected failure", metadata: ["error": "\(String(reflecting: error))", "request": "\(trace.id)"])
            trace.refuse(
                ServerError(.internalError, "internal error", (error as? ServerError)?.cause ?? .server(.fault)))
            return try failed(trace)
        }
    }
}

/// Renders errors as a status without a body, for clients that take any body for success.
package struct StatusRenderer: OutcomeRenderer {
    /// The status of a server fault.
    package let fault: HTTPResponse.Status

    package init(fault: HTTPResponse.Status) {
        self.fault = fault
    }

    package func refused(_ refusal: RequestRefusal, _ trace: RequestTrace) -> Response {
        .bodiless(refusal.status ?? refusal.error.code.status)
    }

    package func failed(_ trace: RequestTrace) -> Response { .bodiless(fault) }
}

extension Response {
    /// An answer without a body.
    package static func bodiless(_ status: HTTPResponse.Status) -> Response {
        Response(status: status, headers: [.contentLength: "0", .cacheControl: "no-store"])
    }
}
