import CloudAccounts
package import CloudModel

/// Operations on users' sessions.
package enum SessionOperations {
    package static let list = AdminOperation<SessionPage, Page<SessionInfo>>(
        .get("sessions", .people), OperationText("listSessions", "The open sessions."),
        audit: .look("looked at sessions")
    ) { call, input in
        let found = try await call.accounts.sessions.list(
            email: input.email, container: input.container,
            after: input.page.after, limit: Int(input.page.limit) + 1)
        return input.page.page(found.map(SessionInfo.init), key: \.id)
    }

    /// Signs a user in. Holders of the token read and write the user's records, so both record scopes are required.
    package static let create = AdminOperation<NewSessionChoice, NewSession>(
        .post("sessions", .people, .recordsRead, .recordsWrite), OperationText("createSession", "Sign a user in."),
        audit: .change("signed a user in")
    ) { call, input in
        let session = try await call.accounts.sessions.create(
            email: input.email, container: try await call.container(input.place.container),
            environment: input.place.environment, persistent: input.persistent,
            within: call.identity.reach, maker: call.identity.maker)
        return NewSession(
            ckWebAuthToken: session.token, userRecordName: session.userRecordName, expires: session.expires)
    }

    package static let revoke = AdminOperation<SessionChoice, Done>(
        .delete("sessions/{id}", .people), OperationText("endSession", "End a session."),
        audit: .change("ended a session")
    ) { call, input in
        try await call.accounts.sessions.revoke(id: input.id, within: call.identity.reach)
        return Done()
    }

    package static let revokeAll = AdminOperation<UserChoice, Count>(
        .delete("users/{email}/sessions", .people), OperationText("endUserSessions", "End all sessions of a user."),
        audit: .change("ended a user's sessions")
    ) { call, input in
        Count(
            count: try await call.accounts.sessions.revokeAll(
                email: input.email, within: call.identity.reach))
    }
}

package struct SessionPage: OperationInput {
    package let email: String?
    package let container: String?
    package let page: PageChoice

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "Only those of the user with this address or id."),
        .text("container", \.container, "Only those of apps in this container."), .group(\.page))
}

package struct NewSessionChoice: OperationInput {
    package let place: EnvironmentAddress
    package let email: String
    package let persistent: Bool

    package static let fields = InputFields(
        Self.init, .group(\.place), .text("email", \.email, "The user's email address or id."),
        .flag("persistent", \.persistent, "Stay signed in for two weeks without use rather than half an hour."))
}

package struct SessionChoice: OperationInput {
    package let id: String

    package static let fields = InputFields(Self.init, .text("id", \.id, "Its id, as the list shows it."))
}

package struct SessionInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminSession", "An open session.",
        [
            "email": "Left out for an account without an address.",
            "container": "Left out for browser sessions on the server's own pages.",
            "apiToken": "The only API token that the session works with; left out for any token.",
        ])

    package let id: String
    package let account: Int64
    package let email: String?
    /// Nil for browser sessions on the server's own pages.
    package let container: String?
    package let environment: ContainerEnvironment?
    /// The only API token that the session works with; nil for any token.
    package let apiToken: String?
    package let lastUsed: Timestamp
    package let expires: Timestamp

    /// The address, or the account's id without one.
    package var name: String { email ?? String(account) }

    init(_ session: OpenSession) {
        id = session.id
        account = session.account
        email = session.email
        container = session.container
        environment = session.environment
        apiToken = session.apiToken
        lastUsed = session.lastUsed
        expires = session.expires
    }
}

/// A new session. Its token appears in this answer only.
package struct NewSession: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminNewSession", "A new session. Its token appears in this answer only.")

    package let ckWebAuthToken: String
    package let userRecordName: String
    package let expires: Timestamp
}
