package import CloudHTTP
package import CloudModel

/// The parts of a request's head that identify the sender.
package struct CredentialedRequest: Sendable {
    package let container: String
    package let environment: ContainerEnvironment
    package let scope: DatabaseScope
    package let query: QueryString
    package let headers: HTTPFields
    /// Path and query exactly as received: signatures cover these bytes.
    package let target: String

    package init(
        container: String, environment: ContainerEnvironment, scope: DatabaseScope, query: QueryString,
        headers: HTTPFields, target: String
    ) {
        self.container = container
        self.environment = environment
        self.scope = scope
        self.query = query
        self.headers = headers
        self.target = target
    }
}
