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

    /// The row of a path, with what the path says. A class, since the steps of a request hand it along.
    final class Match: Sendable {
        let row: RouteRow
        let values: PathValues
        private let method: HTTPRequest.Method
        private let found: Route?

        /// - Parameter method: the method that most ask the route of.
        init(row: RouteRow, values: PathValues, for method: HTTPRequest.Method = .get) {
            self.row = row
            self.values = values
            self.method = method
            found = row.route(values, method)
        }

        /// The route as records, logs and metrics name it: the pattern that the path fits, never the path.
        var name: String { row.name }
        /// The methods that the path takes.
        var methods: Set<HTTPRequest.Method> { row.methods }

        /// The route of `method`; nil for one that the path does not take.
        func route(for method: HTTPRequest.Method) -> Route? {
            method == self.method ? found : row.route(values, method)
        }
    }

    /// - Parameters:
    ///   - path: as received, without the query.
    ///   - method: the method that the path is asked with.
    /// - Returns: nil for a path that nothing answers.
    func match(_ path: Substring, for method: HTTPRequest.Method = .get) -> Match? {
        table.match(path).map { Match(row: $0.row, values: $0.values, for: method) }
    }

    /// Every path there is, with its methods and HEAD beside each GET, in the notation of the API's description.
    static var paths: [String: Set<HTTPRequest.Method>] {
        Dictionary(uniqueKeysWithValues: RouteRow.all.map { ($0.pattern, $0.methods) })
    }
}
