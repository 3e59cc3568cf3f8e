/// A route's description for errors, records, logs and metrics. A class, since requests pass it along.
final class RouteInfo: Sendable {
    /// The path pattern.
    let pattern: String
    /// The route's name in records, logs and metrics.
    let name: String
    /// True for the routes that list request records.
    let isOfRecords: Bool
    /// Supported methods; GET implies HEAD.
    let methods: Set<HTTPRequest.Method>
    let kind: RouteKind
    /// True for a route of development servers only.
    let isForDevelopment: Bool

    /// - Parameter name: nil for the pattern.
    init(
        _ pattern: String, name: String? = nil, _ methods: Set<HTTPRequest.Method>, _ kind: RouteKind,
        isForDevelopment: Bool = false
    ) {
        self.pattern = pattern
        self.name = name ?? pattern
        isOfRecords = self.name.hasPrefix(RequestRecord.ownRoute)
        self.methods = methods.contains(.get) ? methods.union([.head]) : methods
        self.kind = kind
        self.isForDevelopment = isForDevelopment
    }
}

/// The kind of a route, which decides the error format.
enum RouteKind: Sendable {
    case wire, page, upload, wait
}
