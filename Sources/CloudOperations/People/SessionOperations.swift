package import CloudModel
import CloudStore

/// Operations on users' sessions.
package enum SessionOperations {
    package static let list = AdminOperation<Page<SessionInfo>>(
        .get, "sessions", .people, takes: ["email", "container", "after", "limit"], audit: .look("looked at sessions")
    ) { call in
        let (arguments, limit) = (call.arguments, try call.arguments.limit())
        let found = try await call.accounts.sessions.list(
            email: try arguments.optionalText("email"), container: try arguments.optionalText("container"),
            after: try arguments.optionalText("after"), limit: limit + 1)
        return Page(found.map(SessionInfo.init), limit: limit, key: \.id)
    }

    /// Signs a user in. Holders of the token read and write the user's records, so both record scopes are required.
    package static let create = AdminOperation<NewSession>(
        .post, "sessions", .people, .recordsRead, .recordsWrite,
        takes: ["container", "environment", "email", "persistent"], audit: .change("signed a user in")
    ) { call in
        let arguments = call.arguments
        let session = try await call.accounts.sessions.create(
            email: try arguments.text("email"), container: try await call.container(),
            environment: try arguments.environment(), persistent: try arguments.flag("persistent") ?? false,
            within: call.identity.reach, maker: call.identity.maker)
        return NewSession(
            ckWebAuthToken: session.token, userRecordName: session.userRecordName, expires: session.expires)
    }

    package static let revoke = AdminOperation<Done>(
        .delete, "sessions/{id}", .people, audit: .change("ended a session")
    ) { call in
        try await call.accounts.sessions.revoke(id: try call.arguments.text("id"), within: call.identity.reach)
        return Done()
    }

    /// Ends all sessions of a user.
    package static let revokeAll = AdminOperation<Count>(
        .delete, "users/{email}/sessions", .people, audit: .change("ended a user's sessions")
    ) { call in
        Count(
            count: try await call.accounts.sessions.revokeAll(
                email: try call.arguments.text("email"), within: call.identity.reach))
    }
}

package struct SessionInfo: Codable, Hashable, Sendable {
    package let id: String
    package let email: String
    /// Nil for browser sessions on the server's own pages.
    package let container: String?
    package let environment: ContainerEnvironment?
    /// The only API token that the session works with; nil for any token.
    package let apiToken: String?
    package let lastUsed: Timestamp
    package let expires: Timestamp

    init(_ session: OpenSession) {
        id = session.id
        email = session.email
        container = session.container
        environment = session.environment
        apiToken = session.apiToken
        lastUsed = session.lastUsed
        expires = session.expires
    }
}

/// A new session. Its token appears in this answer only.
package struct NewSession: Codable, Hashable, Sendable {
    package let ckWebAuthToken: String
    package let userRecordName: String
    package let expires: Timestamp
}
