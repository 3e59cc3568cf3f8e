import CloudHTTP
import CloudWire
import CloudPages
import CloudEmulator
import CloudModel

/// The handler of a request, by its error format. Indirect, since each request step copies the route.
indirect enum Route: Sendable {
    /// An API route: errors are dictionaries.
    case wire(WireRoute)
    /// A page: errors are pages.
    case page(PageEndpoint, parameters: [String])
    /// Receives asset bytes: errors are dictionaries, or pages for form uploads of the console.
    case upload(token: String)
    /// Waits for notifications: errors are statuses.
    case wait(Wait)

    enum Wait: Sendable {
        /// A single notification for a push token.
        case poll
        /// Notifications for a push token, as server-sent events.
        case stream
    }
}

extension Route {
    /// The request for the handler: HEAD becomes GET, except for pages, files and waits, which handle HEAD themselves.
    func seen(_ request: Request) -> Request {
        guard request.method == .head else { return request }
        switch self {
        case .page, .wait, .wire(.asset), .wire(.preview): return request
        case .wire, .upload:
            return request.asking(.get)
        }
    }
}

indirect enum WireRoute: Sendable {
    /// An endpoint of a database; push tokens and key-value stores count as private.
    case database(RequestPlace, DatabaseScope, DatabaseEndpoint)
    /// An asset download, with a file name from the client.
    case asset(AssetPlace, key: Substring, name: Substring)
    case preview(AssetPlace, key: Substring, size: Substring)
    /// A user's share links in a container, or a single link.
    case links(RequestPlace, LinkEndpoint)
    /// The admin API.
    case admin(AdminRoutes.Match)
    /// Request records: a list, or one record by ID.
    case requests(id: String?)
    case developmentSession
    /// An app's identity token for a web auth token.
    case exchange
    /// A nonce for an app's identity token.
    case exchangeNonce
    /// A provider's notice about a person.
    case notice(provider: String)
    /// Test control of a development server.
    case emulator(EmulatorRoute)
    case front
    case health
    /// Reports how a request reached the server, through proxies.
    case probe
    /// Reports whether the store accepts writes.
    case readiness
    /// Requests access to the share with this short GUID.
    case requestAccess(share: String)
}

extension WireRoute {
    /// Container and environment of a route with user sign-in.
    var place: RequestPlace? {
        switch self {
        case .database(let place, _, _), .links(let place, _): place
        default: nil
        }
    }
}

extension Route {
    /// False for a route that ignores the body, which is then not kept.
    func takesBody(_ method: HTTPRequest.Method) -> Bool {
        switch self {
        case .wait, .wire(.asset), .wire(.preview), .wire(.front), .wire(.health), .wire(.readiness), .wire(.probe):
            false
        case .page: method == .post
        case .upload, .wire: true
        }
    }
}
