import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Answers what people ask for with a browser: pages, and errors as pages.
struct PageResponder: Sendable {
    /// Bytes of a form: five thousand chosen photos are 70 KB.
    private static let largestForm = 128 << 10

    let site: Site
    let bounds: RequestBounds
    let logger: Logger

    func answer(
        _ request: Request, _ endpoints: [HTTPRequest.Method: PageEndpoint], parameters: [String],
        context: CloudRequestContext
    ) async throws -> Response {
        do {
            if let fault = HostField.fault(request.head) { throw fault }
            guard let endpoint = endpoints[request.method == .head ? .get : request.method] else {
                throw PageError(
                    .methodNotAllowed, "That did not work", "\(request.method) is not for this address.", .address)
            }
            let address = bounds.address(of: request, context)
            let ticket = try bounds.requests.ticket(for: address)
            defer { withExtendedLifetime(ticket) {} }
            let body = request.method == .post ? try await request.collect(atMost: Self.largestForm) : ByteBuffer()
            let target = request.head.path ?? ""
            let query = target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target.utf8[$0...].dropFirst() }
            let call = PageCall(
                site: site, request: request, parameters: parameters, query: FormFields(query ?? "".utf8[...]),
                form: FormFields(body.readableBytesView),
                client: ClientAddress(
                    headers: request.headers, peer: context.peer,
                    trustForwardedFor: site.configuration.trustForwardedFor),
                sender: context.sender, trace: context.trace)
            return try await bounds.reading(as: address, context) { try await endpoint(call) }
        } catch {
            return try render(error, context.trace, allowed: Array(endpoints.keys))
        }
    }

    private func render(
        _ error: any Error, _ trace: RequestTrace, allowed: [HTTPRequest.Method]
    ) throws -> Response {
        switch error {
        case let error as PageError:
            if let cause = error.cause { trace.refuse(error.title, cause) }
            var response = try site.page(for: error)
            if error.status == .methodNotAllowed {
                response.headers[.allow] = allowed.map(\.rawValue).sorted().joined(separator: ", ")
            }
            return response
        case let error as ServerError where error.code != .internalError:
            trace.refuse(error)
            return try site.page(for: PageError(error))
        case let error as HTTPParserError:
            // Not HTTP: the connection answers that with a 400, and ends.
            throw error
        case let failure as MailFailure:
            logger.error("a message was not sent", metadata: ["error": "\(failure.reason)", "request": "\(trace.id)"])
            trace.refuse("The message could not be sent", .server(.mail))
            return try site.page(
                for: PageError(
                    .serviceUnavailable, "The message could not be sent", "Please try again later.", .server(.mail),
                    retryAfter: 60))
        case is CancellationError:
            // Hung up: nobody reads this, and there is nothing to log.
            return Response(status: .serviceUnavailable)
        default:
            logger.error(
                "unexpected failure", metadata: ["error": "\(String(reflecting: error))", "request": "\(trace.id)"])
            trace.refuse("Something went wrong here", .server(.fault))
            return try site.page(
                for: PageError(
                    .internalServerError, "Something went wrong here",
                    "The server has noted it under \(trace.id). Please try again later.", .server(.fault)))
        }
    }
}
