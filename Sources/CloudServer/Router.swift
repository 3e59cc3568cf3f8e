package import CloudHTTP

/// Finds the route of a request.
package struct Router: Sendable {
    private let table: PathTable<RouteRow>

    /// - Parameter dev: true to include routes of development servers.
    package init(dev: Bool) { table = dev ? Self.development : Self.production }

    private static let production = table(of: RouteRow.all.filter { !$0.isForDevelopment })
    private static let development = table(of: RouteRow.all)

    private static func table(of rows: [RouteRow]) -> PathTable<RouteRow> {
        PathTable(rows.map { ($0.pattern, $0) })
    }

    /// A matched row with path values. A class, since request steps pass it along.
    package final class Match: RouteMatch, @unchecked Sendable {
        private let row: RouteRow
        private let method: HTTPRequest.Method
        private let found: Route?

        /// - Parameter method: the request's method, whose route is cached.
        init(row: RouteRow, values: PathValues, for method: HTTPRequest.Method = .get) {
            self.row = row
            self.method = method
            found = row.route(values, method)
            let isPoll = if method != .head, case .wait(.poll) = found { true } else { false }
            super.init(row.info, values, takesBody: found?.takesBody(method) == true, isPoll: isPoll)
        }

        /// The route for `method`; nil if unsupported.
        func route(for method: HTTPRequest.Method) -> Route? {
            method == self.method ? found : row.route(values, method)
        }
    }

    /// - Parameters:
    ///   - path: as received, without the query.
    ///   - method: the request's method.
    /// - Returns: nil for an unknown path.
    package func match(_ path: Substring, for method: HTTPRequest.Method = .get) -> Match? {
        table.match(path).map { Match(row: $0.row, values: $0.values, for: method) }
    }

    /// All path patterns with their methods, in OpenAPI notation.
    static var paths: [String: Set<HTTPRequest.Method>] {
        Dictionary(uniqueKeysWithValues: RouteRow.all.map { ($0.pattern, $0.methods) })
    }
}
