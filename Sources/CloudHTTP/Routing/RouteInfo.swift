/// A route's description for errors, records, logs and metrics. A class, since requests pass it along.
package final class RouteInfo: Sendable {
    /// The name of the routes that list request records.
    package static let records = "admin/requests"

    /// The path pattern.
    package let pattern: String
    /// The route's name in records, logs and metrics.
    package let name: String
    /// True for the routes that list request records.
    let isOfRecords: Bool
    /// Supported methods; GET implies HEAD.
    package let methods: Set<HTTPRequest.Method>
    package let kind: RouteKind
    /// True for a route of development servers only.
    package let isForDevelopment: Bool
    /// True for a page, or an action on a page, for people with a browser. openapi.yaml, which is for programs, leaves it out.
    package let isForPeople: Bool

    /// - Parameter name: nil for the pattern.
    package init(
        _ pattern: String, name: String? = nil, _ methods: Set<HTTPRequest.Method>, _ kind: RouteKind,
        isForDevelopment: Bool = false, isForPeople: Bool = false
    ) {
        self.pattern = pattern
        self.name = name ?? pattern
        isOfRecords = self.name.hasPrefix(Self.records)
        self.methods = methods.contains(.get) ? methods.union([.head]) : methods
        self.kind = kind
        self.isForDevelopment = isForDevelopment
        self.isForPeople = isForPeople
    }
}

/// The kind of a route, which decides the error format.
package enum RouteKind: Sendable {
    case wire, page, upload, wait
}
