package import CloudModel

/// One request that has been answered: who asked for what, what it cost and what decided.
///
/// Outside of a development server it holds only what the server knows itself: no token, password, secret of a link or
/// value of a field. It is small, since it is kept of every request: it refers to the notes of the request, and who reads it
/// makes text of them.
package struct RequestRecord: Sendable {
    /// The route of requests for records, as these name it.
    static let ownRoute = "admin/requests"
    /// The routes of pages that ask for what is new by themselves.
    private static let liveRoutes: Set<String> = ["/console/requests", "/console/push"]

    /// The place in the order of all requests; later ones have larger ones.
    package internal(set) var position: Int64 = 0
    package let time: Timestamp
    package let environment: ContainerEnvironment?
    package let database: DatabaseScope?
    package let address: String?
    /// The W3C trace that the caller says it belongs to.
    package let traceparent: String?
    package let status: Int
    package let duration: Duration
    /// The time from the last visit to the store to the answer.
    package let rendering: Duration
    /// Bytes of the answer; nil for one of unknown length.
    package let bytesOut: Int?
    /// Whether reasons are those that the client got, with the values in them.
    package let hasValues: Bool
    /// Whether the request, or an operation of it, was refused.
    package let isRefused: Bool
    /// Whether it used marks of the schema, or missed one.
    let isAboutMarks: Bool
    /// Bytes it takes in memory, about.
    let size: Int
    private let trace: RequestTrace
    private let row: RouteRow?
    private let asked: HTTPRequest.Method

    /// - Parameters:
    ///   - address: of the client.
    ///   - bytesOut: of the answer's body.
    ///   - hasValues: whether it may hold what clients have sent.
    init(
        _ trace: RequestTrace, time: Timestamp, _ request: HTTPRequest, _ match: Router.Match?, address: String?,
        status: Int, bytesOut: Int?, hasValues: Bool = false
    ) {
        let notes = trace.end(withValues: hasValues)
        let end = ContinuousClock.now
        self.time = time
        environment = notes.environment ?? match?.values.environment
        database = notes.database ?? match?.values.database
        self.address = address?.isEmpty == true ? nil : address
        traceparent = TraceParent.checked(request.headerFields[.traceparent])
        self.status = status
        duration = end - trace.began
        rendering = end - (notes.left ?? trace.began)
        self.bytesOut = bytesOut
        self.hasValues = hasValues
        isRefused = status >= 400 || notes.isRefused
        isAboutMarks = notes.isAboutMarks
        size = notes.size
        self.trace = trace
        row = match?.row
        asked = request.method
    }
}

extension RequestRecord {
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .options, .patch]

    /// The id that the answer and its errors carry.
    package var id: String { trace.id }
    package var method: String { Self.methods.contains(asked) ? asked.rawValue : "OTHER" }
    /// The route's pattern, such as `records/modify`.
    package var route: String { row?.name ?? "unknown" }
    package var container: String? { trace.notes.container }
    /// The user record name of the caller.
    package var user: String? { trace.notes.user }
    package var refusal: RequestTrace.Refusal? { trace.notes.refusal }
    package var steps: [TrailStep] { trace.notes.steps }
    package var operations: [OperationRecord] { trace.notes.operations }
    package var succeeded: Int { trace.notes.succeeded }
    package var failed: Int { trace.notes.failed }
    package var cost: RequestCost { trace.notes.cost }
    /// The body, of a development server's requests to the databases, if it is not large. It is in memory alone.
    package var body: [UInt8]? { trace.notes.body }

    /// Whether it asked for a page that asks for what is new by itself.
    var isOfLivePage: Bool { Self.liveRoutes.contains(route) }

    /// The route, after the database where there is one: `private/records/modify`.
    var path: String { (database.map { "\($0.rawValue)/" } ?? "") + route }

    package var code: ServerError.Code? { refusal?.code ?? operations.lazy.compactMap(\.code).first }

    /// The number of the share that a page's link led to.
    var share: Int64? {
        steps.lazy.compactMap { step in if case .link(_, _, let share) = step { share } else { nil } }.first
    }
}
