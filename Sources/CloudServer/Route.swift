import CloudModel

/// The handler of a request, by the form of its errors. Indirect, since the steps of a request copy it.
indirect enum Route: Sendable {
    /// For programs: an error is a dictionary.
    case wire(WireRoute)
    /// For people: an error is a page.
    case page(PageEndpoint, parameters: [String])
    /// Takes the bytes of an asset: an error is a status.
    case upload(token: String)
    /// Answers only when there is something to tell: an error is a status.
    case wait(Wait)

    enum Wait: Sendable {
        /// Notifications for a push token, one by one.
        case poll
        /// Notifications for a push token, as server-sent events.
        case stream
    }
}

extension Route {
    /// A request as its handler sees it: HEAD as GET, save for files and waits, which have an answer of their own to it.
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
    /// An endpoint of a container's database, or of its push tokens or key-value stores, which count as private.
    case database(RequestPlace, DatabaseScope, DatabaseEndpoint)
    /// Sends the bytes of an asset; clients put a file's name last.
    case asset(AssetPlace, key: Substring, name: Substring)
    case preview(AssetPlace, key: Substring, size: Substring)
    /// Everything that somebody has shared in a container, or one thing of it.
    case links(RequestPlace, LinkEndpoint)
    /// Operators' work.
    case admin(AdminRoutes.Match)
    /// Records of requests: one, or those that a filter lets through.
    case requests(id: String?)
    case developmentSession
    /// Routes by which tests steer a development server.
    case emulator(EmulatorRoute)
    case front
    case health
    /// Tells how a request got here.
    case probe
    /// Tells if a write can be made.
    case readiness
    /// A person asks to be let into the share with this short GUID.
    case requestAccess(share: String)
}

/// A container, whether or not there is one of the name, and its environment.
struct RequestPlace: Hashable, Sendable {
    let container: String
    let environment: ContainerEnvironment
}

extension WireRoute {
    /// The container and environment it is about, for routes that a user signs in to.
    var place: RequestPlace? {
        switch self {
        case .database(let place, _, _), .links(let place, _): place
        default: nil
        }
    }
}

extension Route {
    /// False for a route that reads no body: none is kept for it.
    func takesBody(_ method: HTTPRequest.Method) -> Bool {
        switch self {
        case .wait, .wire(.asset), .wire(.preview), .wire(.front), .wire(.health), .wire(.readiness), .wire(.probe):
            false
        case .page: method == .post
        case .upload, .wire: true
        }
    }
}
