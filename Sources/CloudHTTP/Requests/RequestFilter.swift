package import CloudModel

/// Criteria for request records.
package struct RequestFilter: Hashable, Sendable {
    /// The container; nil for any, including requests without a container.
    package var container: String?
    package var user: String?
    /// The route's pattern, with or without a database prefix.
    package var route: String?
    package var code: ServerError.Code?
    /// Matches only requests slower than this.
    package var slower: Duration?
    package var refusedOnly = false
    /// True to omit requests of the console, which its open pages repeat constantly.
    package var leavesOutConsole = false

    package init() {}

    package func fits(_ record: RequestRecord) -> Bool {
        if let container, record.container != container { return false }
        if let user, record.user != user { return false }
        if let route, record.route != route, record.path != route { return false }
        if let code, record.refusal?.code != code, !record.operations.contains(where: { $0.code == code }) {
            return false
        }
        if leavesOutConsole, record.route.hasPrefix("/console") || record.route.hasPrefix("/static") { return false }
        if let slower, record.duration <= slower { return false }
        return !refusedOnly || record.isRefused
    }
}
