package import CloudModel
package import HTTPTypes
package import NIOCore

/// What of a request decides who sends it.
package struct CredentialedRequest: Sendable {
    package let container: String
    package let environment: ContainerEnvironment
    package let scope: DatabaseScope
    package let query: QueryString
    package let headers: HTTPFields
    /// Path and query exactly as received: signatures cover these bytes.
    package let target: String
    /// The body as received; empty when there is none.
    package let body: ByteBuffer

    package init(
        container: String, environment: ContainerEnvironment, scope: DatabaseScope, query: QueryString,
        headers: HTTPFields, target: String, body: ByteBuffer
    ) {
        self.container = container
        self.environment = environment
        self.scope = scope
        self.query = query
        self.headers = headers
        self.target = target
        self.body = body
    }
}
