import NIOCore

/// A request on its way through ``RequestSteps``.
///
/// State: the request, reduced during a wait. Touched in turn by the event loop, a task, or the closure that resumes
/// after a wait.
final class RequestCall: @unchecked Sendable {
    private(set) var request: Request
    /// Nil if no route matches the path.
    let match: Router.Match?
    /// Nil if the path does not support the method.
    let route: Route?
    private(set) var context: CloudRequestContext
    /// The reply after a wait, in place of the endpoint's.
    private var resumed: Reply?

    init(_ request: Request, _ match: Router.Match?, _ context: CloudRequestContext) {
        self.request = request
        self.match = match
        route = match?.route(for: request.method)
        var context = context
        context.route = match?.info.name ?? ""
        self.context = context
    }

    /// The error format: JSON, page or status.
    var kind: RouteKind { match?.info.kind ?? UnknownPath.kind(of: request) }

    /// When the request counts against its address's rate. An unknown API path counts like an anonymous request.
    var counting: AddressCount { route?.addressCount(of: request) ?? (kind == .page ? .never : .first) }

    /// True for a request that may wait for a notification, except HEAD.
    var isPoll: Bool {
        if request.method == .head { return false }
        return if case .wait(.poll) = route { true } else { false }
    }

    /// Runs the request as a poll on its turn. Before the first step.
    func begin(_ turn: PollTurns.Turn) { context.turn = turn }

    /// Has the steps handle `reply` as the endpoint's. After a wait.
    func resume(with reply: Reply) { resumed = reply }

    /// The reply after a wait, once.
    func takeResumed() -> Reply? { resumed == nil ? nil : resumed.take() }

    /// Headers needed for the answer after a wait.
    private static let readAtTheEnd: [HTTPField.Name] = [.origin, .traceparent]

    /// Frees the rest of the request's head during a wait: a browser's headers take kilobytes, and thousands of polls wait.
    func cutDown(_ bounds: RequestBounds) {
        // Caches the address before its header is dropped.
        _ = bounds.address(of: request, context)
        var head = HTTPRequest(method: request.method, authority: request.authority, path: nil)
        for name in Self.readAtTheEnd { head.headerFields[name] = request.headers[name] }
        request = Request(head: head)
    }
}
