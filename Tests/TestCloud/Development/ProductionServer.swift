package import CloudHTTP
package import CloudModel
package import CloudStore
package import NIOCore
import Testing

extension TestServer {
    /// Somebody signed in to production the way an operator sets it up.
    package func production(_ email: String, _ container: String = "iCloud.com.example.test") async throws -> App {
        let container = try await accounts.ensureContainer(name: container)
        let token = try await accounts.createAPIToken(container: container.name, environment: .production, name: "web")
        _ = try await accounts.createUserAccount(email: email)
        let session = try await accounts.createSession(email: email, container: container, environment: .production)
        var app = app(container.name, environment: "production")
        app.apiToken = token.text
        app.token = session.token
        app.user = session.userRecordName
        return app
    }
}
