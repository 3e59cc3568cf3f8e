/// The route of a request's path. The table of routes adds the endpoint in a subclass.
class RouteMatch: @unchecked Sendable {
    let info: RouteInfo
    let values: PathValues
    /// False for a route that ignores the body, which is then not kept.
    let takesBody: Bool
    /// True for a request that may wait for a notification, except HEAD.
    let isPoll: Bool

    init(_ info: RouteInfo, _ values: PathValues, takesBody: Bool = false, isPoll: Bool = false) {
        self.info = info
        self.values = values
        self.takesBody = takesBody
        self.isPoll = isPoll
    }

    /// The route's name in records, logs and metrics: the pattern, never the path.
    final var name: String { info.name }
    /// Supported methods.
    final var methods: Set<HTTPRequest.Method> { info.methods }
}
