package import CloudModel
package import NIOCore

/// Answers the requests of connections.
package protocol RequestHandler: AnyObject, Sendable {
    /// The route of a path, as received and without its query; nil for an unknown path.
    func match(_ path: Substring, for method: HTTPRequest.Method) -> RouteMatch?

    /// Answers a request, at once if nothing has to wait.
    func reply(to call: RequestCall) throws -> Reply

    /// Answers and records a request of a connection that was not admitted.
    func refuse(_ request: HTTPRequest, of channel: any Channel, _ error: ServerError) -> Response
}

/// The shared parts of a server's connections.
package final class HTTPServer: Sendable {
    package let settings: HTTPSettings
    package let bounds: RequestBounds
    package let handler: any RequestHandler
    let turns: PollTurns
    let loopTurns = LoopTurns()
    /// Nil for unlimited.
    private let refusedUploads: RefusedUploads?

    /// - Parameter mayTakeLong: true if a poll may be delayed on purpose; polls then run unlimited.
    package init(
        _ settings: HTTPSettings, bounds: RequestBounds, rates: RateLimits, handler: any RequestHandler,
        mayTakeLong: @escaping @Sendable () -> Bool = { false }
    ) {
        self.settings = settings
        self.bounds = bounds
        self.handler = handler
        turns = PollTurns(mayTakeLong: mayTakeLong)
        refusedUploads = rates.refusedUploads
    }

    /// A limit on the unread rest of a request body.
    func unreadBody(of head: HTTPRequest, _ address: String) -> UnreadBody {
        let limits = settings.limits
        let most =
            UploadRoute.takes(head)
            ? UploadRoute.largestBody(head.headerFields, assetBytes: limits.assets.bytes) : limits.requestBytes
        let announced = head.headerFields[.contentLength].flatMap { Int($0) }
        return UnreadBody(of: address, announced: announced, most: most, spent: refusedUploads)
    }
}
