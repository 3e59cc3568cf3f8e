import NIOCore

/// A request on its way through the steps of its handler.
///
/// State: the request, reduced during a wait. Touched in turn by the event loop, a task, or the closure that resumes
/// after a wait.
package final class RequestCall: @unchecked Sendable {
    package private(set) var request: Request
    /// Nil if no route matches the path.
    package let match: RouteMatch?
    package let context: CloudRequestContext
    /// The reply after a wait or started work, in place of the endpoint's.
    private var resumed: Result<Reply, any Error>?

    package init(_ request: Request, _ match: RouteMatch?, _ context: CloudRequestContext) {
        self.request = request
        self.match = match
        context.route = match?.info.name ?? ""
        self.context = context
    }

    /// The error format: JSON, page or status.
    package var kind: RouteKind { match?.info.kind ?? UnknownPath.kind(of: request) }

    /// True for a request that may wait for a notification, except HEAD.
    package var isPoll: Bool { match?.isPoll == true }

    /// Runs the request as a poll on its turn. Before the steps run.
    package func begin(_ turn: PollTurns.Turn) { context.turn = turn }

    /// Has the steps handle `reply` as the endpoint's. After a wait or started work.
    package func resume(with reply: Result<Reply, any Error>) { resumed = reply }

    /// The reply after a wait or started work, once.
    package func takeResumed() throws -> Reply? { resumed == nil ? nil : try resumed.take()?.get() }

    /// Headers needed for the answer after a wait.
    private static let readAtTheEnd: [HTTPField.Name] = [.origin, .traceparent]

    /// Frees the rest of the request's head during a wait: a browser's headers take kilobytes, and thousands of polls wait.
    package func cutDown(_ bounds: RequestBounds) {
        // Caches the address before its header is dropped.
        _ = bounds.address(of: request, context)
        var fields = HTTPFields()
        for name in Self.readAtTheEnd { fields[name] = request.headers[name] }
        request = Request(
            head: HTTPRequest(
                method: request.method, authority: request.authority, path: nil, headerFields: fields))
    }
}
