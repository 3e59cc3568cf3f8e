package import CloudHTTP
package import CloudModel

/// A request with the database that its path names.
package struct CredentialedRequest: Sendable {
    package let request: Request
    package let place: RequestPlace
    package let scope: DatabaseScope

    package init(_ request: Request, _ place: RequestPlace, _ scope: DatabaseScope) {
        self.request = request
        self.place = place
        self.scope = scope
    }

    package var container: String { place.container }
    package var environment: ContainerEnvironment { place.environment }
    package var query: QueryString { request.parameters }
    package var headers: HTTPFields { request.headers }
    /// Path and query exactly as received: signatures cover these bytes.
    package var target: String { request.target }
}
