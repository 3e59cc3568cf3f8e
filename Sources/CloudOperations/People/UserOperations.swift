package import CloudModel
import CloudStore

/// Operations on users' accounts.
package enum UserOperations {
    /// A page of accounts by address; `matching` selects by a part of the address or name.
    package static let list = AdminOperation<Page<UserInfo>>(
        .get, "users", .people, takes: ["matching", "after", "limit"], audit: .look("looked at accounts")
    ) { call in
        let (arguments, limit) = (call.arguments, try call.arguments.limit())
        let found = try await call.accounts.users.list(
            after: try arguments.optionalText("after"), matching: try arguments.optionalText("matching"),
            limit: limit + 1)
        return Page(found.map { UserInfo($0) }, limit: limit, key: \.email)
    }

    /// An account with its containers.
    package static let show = AdminOperation<UserInfo>(
        .get, "users/{email}", .people, audit: .look("looked at an account")
    ) { call in
        let account = try await requireAccount(call)
        return UserInfo(account, places: try await call.accounts.people.recordNames(account: account.id))
    }

    package static let create = AdminOperation<UserInfo>(
        .post, "users", .people, takes: ["email", "givenName", "familyName", "phone"],
        audit: .change("created a user")
    ) { call in
        let arguments = call.arguments
        return UserInfo(
            try await call.accounts.users.create(
                email: try arguments.text("email"), givenName: try arguments.optionalText("givenName"),
                familyName: try arguments.optionalText("familyName"), phone: try arguments.optionalText("phone")))
    }

    /// Marks a user's address as confirmed.
    package static let confirm = AdminOperation<UserInfo>(
        .post, "users/{email}/confirm", .people, audit: .change("confirmed a user's address")
    ) {
        UserInfo(
            try await $0.accounts.users.confirmAddress(email: try $0.arguments.text("email"), within: $0.identity.reach)
        )
    }

    /// Disables a user and ends all their sessions.
    package static let disable = AdminOperation<UserInfo>(
        .post, "users/{email}/disable", .people, audit: .change("disabled a user")
    ) {
        UserInfo(
            try await $0.accounts.users.setDisabled(
                true, email: try $0.arguments.text("email"), within: $0.identity.reach))
    }

    package static let enable = AdminOperation<UserInfo>(
        .post, "users/{email}/enable", .people, audit: .change("enabled a user")
    ) {
        UserInfo(
            try await $0.accounts.users.setDisabled(
                false, email: try $0.arguments.text("email"), within: $0.identity.reach))
    }

    /// Sets a user's password and ends all their sessions. The password opens the user's records, so reading and writing scopes
    /// are required.
    package static let setPassword = AdminOperation<UserInfo>(
        .put, "users/{email}/password", .people, .recordsRead, .recordsWrite, takes: ["password"],
        audit: .change("set a user's password")
    ) { call in
        _ = try await requireAccount(call)
        return UserInfo(
            try await call.accounts.users.setPassword(
                try call.arguments.text("password"), email: try call.arguments.text("email"),
                within: call.identity.reach))
    }

    /// Mails a user about a new account, with instructions for setting the password.
    package static let invite = AdminOperation<UserInfo>(
        .post, "users/{email}/invitation", .people, audit: .change("invited a user")
    ) { try await mail(.invitation, $0) }

    /// Mails a user a code for setting a new password.
    package static let mailReset = AdminOperation<UserInfo>(
        .post, "users/{email}/reset", .people, audit: .change("mailed a user a code for a new password")
    ) { try await mail(.passwordReset, $0) }

    private static func mail(_ mail: PersonMail, _ call: OperationCall) async throws -> UserInfo {
        let account = try await requireAccount(call)
        try await call.accounts.users.check(account, within: call.identity.reach)
        guard account.emailVerified, !account.disabled else {
            throw ServerError.badRequest(
                "the account of '\(Naming.shown(account.email))' is \(known: account.disabled ? "disabled" : "unverified"), "
                    + "so it gets no mail")
        }
        guard let send = call.workplace.mail else {
            throw ServerError.badRequest("mail is sent by a running server alone; name it with --server")
        }
        try await send(mail, account)
        return UserInfo(account)
    }

    static func requireAccount(_ call: OperationCall) async throws -> UserAccount {
        let email = try call.arguments.text("email")
        guard let account = try await call.accounts.users.find(email: email) else {
            throw ServerError(
                .notFound, "there is no user '\(Naming.shown(email))'; 'cumulus user create' makes one", .missing(.user)
            )
        }
        return account
    }
}

/// A message about their account, sent to a user by an operator.
package enum PersonMail: Sendable {
    case invitation, passwordReset
}

package struct UserInfo: Codable, Hashable, Sendable {
    package let email: String
    package let emailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    package let phone: String?
    package let hasPassword: Bool
    package let disabled: Bool
    package let created: Timestamp
    /// The account's containers; present for single accounts only.
    package let places: [Place]?

    /// A container and the user's record name there.
    package struct Place: Codable, Hashable, Sendable {
        package let container: String
        package let userRecordName: String
    }

    init(_ account: UserAccount, places: [(container: String, recordName: String)]? = nil) {
        email = account.email
        emailVerified = account.emailVerified
        givenName = account.givenName
        familyName = account.familyName
        phone = account.phone
        hasPassword = account.hasPassword
        disabled = account.disabled
        created = account.created
        self.places = places?.map { Place(container: $0.container, userRecordName: $0.recordName) }
    }
}
