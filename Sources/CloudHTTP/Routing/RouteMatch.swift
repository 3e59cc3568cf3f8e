/// The route of a request's path. The table of routes adds the endpoint in a subclass.
open class RouteMatch: @unchecked Sendable {
    package let info: RouteInfo
    package let values: PathValues
    /// False for a route that ignores the body, which is then not kept.
    package let takesBody: Bool
    /// True for a request that may wait for a notification, except HEAD.
    package let isPoll: Bool

    package init(_ info: RouteInfo, _ values: PathValues, takesBody: Bool = false, isPoll: Bool = false) {
        self.info = info
        self.values = values
        self.takesBody = takesBody
        self.isPoll = isPoll
    }

    /// The route's name in records, logs and metrics: the pattern, never the path.
    package final var name: String { info.name }
    /// Supported methods.
    package final var methods: Set<HTTPRequest.Method> { info.methods }
}
