package import CloudModel

/// A choice of requests.
package struct RequestFilter: Hashable, Sendable {
    /// The container; nil for all, and for requests that were about none.
    package var container: String?
    package var user: String?
    /// The route's pattern, with or without the database before it.
    package var route: String?
    package var code: ServerError.Code?
    /// Only requests that took longer.
    package var slower: Duration?
    package var refusedOnly = false
    /// True to leave out the console's own requests, which whoever looks at it makes all the time.
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
