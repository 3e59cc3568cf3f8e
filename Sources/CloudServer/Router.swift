/// Finds what answers a path.
struct Router: Sendable {
    private let table: PathTable<RouteRow>

    /// - Parameter dev: true to have the routes of development servers too.
    init(dev: Bool) { table = dev ? Self.development : Self.production }

    private static let production = table(of: RouteRow.all.filter { !$0.isForDevelopment })
    private static let development = table(of: RouteRow.all)

    private static func table(of rows: [RouteRow]) -> PathTable<RouteRow> {
        PathTable(rows.map { ($0.pattern, $0) })
    }

    /// The row of a path, with what the path says.
    struct Match: Sendable {
        let row: RouteRow
        let values: PathValues

        /// The route as records, logs and metrics name it: the pattern that the path fits, never the path.
        var name: Substring { row.name[...] }
        /// The methods that the path takes.
        var methods: Set<HTTPRequest.Method> { row.methods }

        /// The route of `method`; nil for one that the path does not take.
        func route(for method: HTTPRequest.Method) -> Route? { row.route(values, method) }
    }

    /// - Parameter path: as received, without the query.
    /// - Returns: nil for a path that nothing answers.
    func match(_ path: Substring) -> Match? { table.match(path).map { Match(row: $0.row, values: $0.values) } }

    /// Every path there is, with its methods and HEAD beside each GET, in the notation of the API's description.
    static var paths: [String: Set<HTTPRequest.Method>] {
        Dictionary(uniqueKeysWithValues: RouteRow.all.map { ($0.pattern, $0.methods) })
    }
}
