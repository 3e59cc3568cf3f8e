import CloudStore
import NIOCore

/// A request of the courier, answered as every one is, now and after each of its waits.
///
/// A class, since thousands wait, and a wait keeps what to do at its end.
final class PollRequest: Sendable {
    private let responder: Responder
    private let request: Request
    private let match: Router.Match?
    private let context: CloudRequestContext

    init(_ request: Request, _ match: Router.Match?, _ context: CloudRequestContext, of responder: Responder) {
        self.responder = responder
        self.request = request
        self.match = match
        self.context = context
    }

    func reply() async throws -> Reply {
        try await answered {
            try responder.count(request, context)
            return try await responder.courier.respond(request.parameters.pushToken, context)
        }
    }

    private func answered(_ reply: () async throws -> Reply) async throws -> Reply {
        do {
            switch try await reply() {
            case .now(let response): return .now(finished(response))
            case .later(let wait):
                let kept = kept()
                return .later(
                    wait.map(kept.finished) { ending in try await kept.answered { try await wait.resume(ending) } })
            }
        } catch {
            return .now(finished(try await StatusRenderer.poll.render(error, context.trace, responder.logger)))
        }
    }

    /// What is read of a request once there is its answer.
    private static let readAtTheEnd: [HTTPField.Name] = [.origin, .traceparent]

    /// The same with no more of the request than that: the headers of a browser's take kilobytes.
    private func kept() -> PollRequest {
        // Noted, so that nobody looks for it later.
        _ = responder.bounds.address(of: request, context)
        var head = HTTPRequest(method: request.method, authority: request.authority, path: nil)
        for name in Self.readAtTheEnd { head.headerFields[name] = request.headers[name] }
        let request = Request(head: head)
        return PollRequest(request, match, context, of: responder)
    }

    private func finished(_ response: Response) -> Response {
        responder.finished(responder.decorated(response, for: request), request, match, context)
    }
}
