import CloudAccounts
import CloudHTTP
import CloudModel
import NIOCore
import Testing

extension TestServer {
    /// Somebody signed in to production the way an operator sets it up.
    package func production(_ email: String, _ container: String = "iCloud.com.example.test") async throws -> App {
        let container = try await accounts.containers.ensure(name: container)
        let token = try await accounts.apiTokens.create(
            container: container.name, environment: .production, name: "web")
        _ = try await accounts.users.create(email: email)
        let session = try await accounts.sessions.create(email: email, container: container, environment: .production)
        var app = app(container.name, environment: "production")
        app.apiToken = token.text
        app.token = session.token
        app.user = session.userRecordName
        return app
    }
}
