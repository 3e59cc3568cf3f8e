package import CloudModel

/// A container's name, not checked for existence, and an environment.
package struct RequestPlace: Hashable, Sendable {
    package let container: String
    package let environment: ContainerEnvironment

    package init(container: String, environment: ContainerEnvironment) {
        self.container = container
        self.environment = environment
    }
}

extension PathValues {
    /// Container and environment in the path.
    package var place: RequestPlace? {
        container.flatMap { container in
            environment.map { RequestPlace(container: container, environment: $0) }
        }
    }
}
