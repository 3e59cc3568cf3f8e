import NIOCore

/// A request on its way through the steps.
///
/// State: the request, which is cut down once it waits. It is touched by whoever answers the request: the event loop, a task
/// or the closure that goes on after a wait, one after the other.
final class RequestCall: @unchecked Sendable {
    private(set) var request: Request
    /// Nil for a path that no route matches.
    let match: Router.Match?
    /// Nil for a path that does not take the method.
    let route: Route?
    let context: CloudRequestContext

    init(_ request: Request, _ match: Router.Match?, _ context: CloudRequestContext) {
        self.request = request
        self.match = match
        route = match?.route(for: request.method)
        var context = context
        context.route = match?.row.name ?? ""
        self.context = context
    }

    /// How the answer tells what went wrong.
    var kind: RouteRow.Kind { match?.row.kind ?? UnknownPath.kind(of: request) }

    /// How the request counts for its address. A caller that asks for paths which are none is a stranger.
    var counting: AddressCount { route?.addressCount(of: request) ?? (kind == .page ? .never : .first) }

    /// True for a request that may wait for a notification; a HEAD does not.
    var isPoll: Bool {
        if request.method == .head { return false }
        return if case .wait(.poll) = route { true } else { false }
    }

    /// The headers that are read once there is the answer to a request that has waited.
    private static let readAtTheEnd: [HTTPField.Name] = [.origin, .traceparent]

    /// Frees all else of the request's head: the headers of a browser's take kilobytes, and thousands wait.
    func cutDown(_ bounds: RequestBounds) {
        // Noted, so that nobody looks for it later.
        _ = bounds.address(of: request, context)
        var head = HTTPRequest(method: request.method, authority: request.authority, path: nil)
        for name in Self.readAtTheEnd { head.headerFields[name] = request.headers[name] }
        request = Request(head: head)
    }
}
