package import CloudModel

/// The record of an answered request: caller, route, cost and decisions.
///
/// Except on a development server it holds only data that the server itself knows: no token, password, link secret or
/// field value. Kept small, since every request has a record: it refers to the request's trace, from which readers
/// produce texts.
package struct RequestRecord: Sendable {
    /// Routes of pages that poll for updates.
    private static let liveRoutes: Set<String> = ["/console/requests", "/console/push"]

    /// The sequence number, increasing with each recorded request.
    package internal(set) var position: Int64 = 0
    package let time: Timestamp
    package let environment: ContainerEnvironment?
    package let database: DatabaseScope?
    package let address: String?
    /// The caller's W3C trace context.
    package let traceparent: String?
    package let status: Int
    package let duration: Duration
    /// The time from the last store access to the answer.
    package let rendering: Duration
    /// Bytes of the answer; nil if unknown.
    package let bytesOut: Int?
    /// True if reasons include values from the client, as in the client's error message.
    package let hasValues: Bool
    /// True for a refused request, or a refused operation within.
    package let isRefused: Bool
    /// True if a query used index marks of the schema or lacked a mark.
    let isAboutMarks: Bool
    /// Approximate size in memory, in bytes.
    package let size: Int
    private let trace: RequestTrace
    /// Nil for an unknown path.
    package let row: RouteInfo?
    private let asked: HTTPRequest.Method

    /// - Parameters:
    ///   - address: the client's.
    ///   - bytesOut: bytes of the answer's body.
    ///   - hasValues: true if the record may hold client data.
    package init(
        _ trace: RequestTrace, time: Timestamp, _ request: HTTPRequest, _ match: RouteMatch?, address: String?,
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
        row = match?.info
        asked = request.method
    }
}

extension RequestRecord {
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .options, .patch]

    /// The request ID, repeated in the answer and its errors.
    package var id: String { trace.id }
    package var method: String { Self.methods.contains(asked) ? asked.rawValue : "OTHER" }
    /// The route's pattern, such as `records/modify`.
    package var route: String { row?.name ?? "unknown" }
    package var container: String? { trace.notes.container }
    /// The caller's user record name.
    package var user: String? { trace.notes.user }
    package var refusal: RequestTrace.Refusal? { trace.notes.refusal }
    package var steps: [TrailStep] { trace.notes.steps }
    package var operations: [OperationRecord] { trace.notes.operations }
    package var succeeded: Int { trace.notes.succeeded }
    package var failed: Int { trace.notes.failed }
    package var cost: RequestCost { trace.notes.cost }
    /// The body of a small database request on a development server. Kept in memory only.
    package var body: [UInt8]? { trace.notes.body }

    /// True for a route of a page that polls for updates.
    var isOfLivePage: Bool { Self.liveRoutes.contains(route) }

    /// The route, prefixed by its database: `private/records/modify`.
    package var path: String { (database.map { "\($0.rawValue)/" } ?? "") + route }

    package var code: ServerError.Code? { refusal?.code ?? operations.lazy.compactMap(\.code).first }

    /// The number of the share that a page link resolved to.
    package var share: Int64? {
        steps.lazy.compactMap { step in if case .link(_, _, let share) = step { share } else { nil } }.first
    }
}
