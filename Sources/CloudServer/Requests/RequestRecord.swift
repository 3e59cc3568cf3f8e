package import CloudModel

/// One request that has been answered: who asked for what, what it cost and what decided.
///
/// Outside of a development server it holds only what the server knows itself: no token, password, secret of a link or
/// value of a field.
package struct RequestRecord: Sendable {
    /// The route of requests for records, as these name it.
    static let ownRoute = "admin/requests"
    /// The routes of pages that ask for what is new by themselves.
    static let liveRoutes: Set<Substring> = ["/console/requests", "/console/push"]

    /// The place in the order of all requests; later ones have larger ones.
    package internal(set) var position: Int64 = 0
    /// The id that the answer and its errors carry.
    package let id: String
    package let time: Timestamp
    package let method: String
    /// The route's pattern, such as `records/modify`.
    package let route: Substring
    package let container: String?
    package let environment: ContainerEnvironment?
    package let database: DatabaseScope?
    /// The user record name of the caller.
    package let user: String?
    package let address: String?
    /// The W3C trace that the caller says it belongs to.
    package let traceparent: String?
    package let status: Int
    package let refusal: RequestTrace.Refusal?
    package let steps: [TrailStep]
    package let operations: [OperationRecord]
    package let succeeded: Int
    package let failed: Int
    package let duration: Duration
    /// The time from the last visit to the store to the answer.
    package let rendering: Duration
    package let cost: RequestCost
    /// The body, of a development server's requests to the databases, if it is not large. It is in memory alone.
    package let body: [UInt8]?
    /// Bytes of the answer; nil for one of unknown length.
    package let bytesOut: Int?
    /// Whether reasons are those that the client got, with the values in them.
    package let hasValues: Bool

    /// The route, after the database where there is one: `private/records/modify`.
    var path: String { (database.map { "\($0.rawValue)/" } ?? "") + route }

    package var code: ServerError.Code? { refusal?.code ?? operations.lazy.compactMap(\.code).first }

    /// Whether the request, or an operation of it, was refused.
    package var isRefused: Bool { status >= 400 || failed > 0 }

    /// Bytes it takes in memory, about. Causes count by their text, since a conflict holds names of fields.
    var size: Int {
        400 + (container?.utf8.count ?? 0) + 200 * steps.count + (body?.count ?? 0)
            + (refusal.map { $0.reason.utf8.count + 2 * $0.cause.text.utf8.count } ?? 0)
            + operations.reduce(0) {
                $0 + 160 + ($1.recordName?.utf8.count ?? 0) + ($1.reason?.utf8.count ?? 0)
                    + 2 * ($1.cause?.text.utf8.count ?? 0)
            }
    }
}

extension RequestRecord {
    /// - Parameters:
    ///   - address: of the client.
    ///   - bytesOut: of the answer's body.
    ///   - hasValues: whether it may hold what clients have sent.
    init(
        _ trace: RequestTrace, time: Timestamp, _ request: HTTPRequest, _ match: Router.Match?, address: String?,
        status: Int, bytesOut: Int?, hasValues: Bool = false
    ) {
        let notes = trace.notes
        let end = ContinuousClock.now
        id = trace.id
        self.time = time
        method = Self.methods.contains(request.method) ? request.method.rawValue : "OTHER"
        route = match?.name ?? "unknown"
        container = notes.container
        let place = notes.steps.lazy.compactMap(\.place).first
        let link = notes.steps.lazy.compactMap(\.link).first
        environment = place?.environment ?? link?.environment ?? match?.values.environment
        database = place?.database ?? match?.values.database
        user = notes.user
        self.address = address?.isEmpty == true ? nil : address
        traceparent = TraceParent.checked(request.headerFields[.traceparent])
        self.status = status
        refusal = notes.refusal?.recorded(withValues: hasValues)
        steps = notes.steps
        operations = notes.operations.map { $0.recorded(withValues: hasValues) }
        self.hasValues = hasValues
        succeeded = notes.succeeded
        failed = notes.failed
        duration = end - trace.began
        rendering = end - (notes.left ?? trace.began)
        cost = notes.cost
        body = notes.body
        self.bytesOut = bytesOut
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .options, .patch]
}

extension TrailStep {
    fileprivate var place: (environment: ContainerEnvironment, database: DatabaseScope)? {
        if case .place(_, let environment, let database) = self { (environment, database) } else { nil }
    }

    fileprivate var link: (environment: ContainerEnvironment, share: Int64?)? {
        if case .link(_, let environment, let share) = self { (environment, share) } else { nil }
    }
}

extension RequestRecord {
    /// The number of the share that a page's link led to.
    var share: Int64? { steps.lazy.compactMap(\.link).first?.share }
}
