import CloudAccounts
package import CloudModel

/// Operations on users' accounts.
package enum UserOperations {
    package static let list = AdminOperation<UserPage, Page<UserInfo>>(
        .get("users", .people), OperationText("listUsers", "The accounts, by address."),
        audit: .look("looked at accounts")
    ) { call, input in
        let found = try await call.accounts.users.list(
            after: input.page.after, matching: input.matching,
            limit: Int(input.page.limit) + 1)
        return input.page.page(found.map { UserInfo($0) }, key: \.name)
    }

    package static let show = AdminOperation<UserChoice, UserInfo>(
        .get("users/{email}", .people), OperationText("showUser", "An account with its containers."),
        audit: .look("looked at an account")
    ) { call, input in
        let account = try await requireAccount(input.email, call)
        return UserInfo(account, places: try await call.accounts.people.recordNames(account: account.id))
    }

    package static let create = AdminOperation<NewUser, UserInfo>(
        .post("users", .people), OperationText("createUser", "Create an account, whose address counts as confirmed."),
        audit: .change("created a user")
    ) { call, input in
        UserInfo(
            try await call.accounts.users.create(
                email: input.email, givenName: input.givenName,
                familyName: input.familyName, phone: input.phone))
    }

    package static let confirm = AdminOperation<UserChoice, UserInfo>(
        .post("users/{email}/confirm", .people), OperationText("confirmUser", "Mark a user's address as confirmed."),
        audit: .change("confirmed a user's address")
    ) { call, input in
        UserInfo(try await call.accounts.users.confirmAddress(email: input.email, within: call.identity.reach))
    }

    package static let setAddress = AdminOperation<NewAddress, UserInfo>(
        .put("users/{email}/address", .people, .recordsRead, .recordsWrite),
        OperationText(
            "setUserAddress", "Give a user another address, which counts as confirmed, or none.",
            "Without an address a user needs a provider to sign in with."),
        audit: .change("changed a user's address")
    ) { call, input in
        UserInfo(
            try await call.accounts.users.setAddress(
                input.address, email: input.email, within: call.identity.reach))
    }

    package static let disable = AdminOperation<UserChoice, UserInfo>(
        .post("users/{email}/disable", .people),
        OperationText("disableUser", "Disable a user and end all their sessions."), audit: .change("disabled a user")
    ) { call, input in
        UserInfo(
            try await call.accounts.users.setDisabled(true, email: input.email, within: call.identity.reach))
    }

    package static let enable = AdminOperation<UserChoice, UserInfo>(
        .post("users/{email}/enable", .people), OperationText("enableUser", "Enable a disabled user again."),
        audit: .change("enabled a user")
    ) { call, input in
        UserInfo(
            try await call.accounts.users.setDisabled(false, email: input.email, within: call.identity.reach))
    }

    /// Sets a user's password and ends all their sessions. The password opens the user's records, so reading and writing scopes
    /// are required.
    package static let setPassword = AdminOperation<NewPassword, UserInfo>(
        .put("users/{email}/password", .people, .recordsRead, .recordsWrite),
        OperationText("setUserPassword", "Set a user's password and end all their sessions."),
        audit: .change("set a user's password")
    ) { call, input in
        try requirePasswords(call)
        _ = try await requireAccount(input.email, call)
        return UserInfo(
            try await call.accounts.users.setPassword(
                input.password, email: input.email,
                within: call.identity.reach))
    }

    package static let invite = AdminOperation<UserChoice, UserInfo>(
        .post("users/{email}/invitation", .people),
        OperationText("inviteUser", "Mail a user about their new account, with instructions for setting the password."),
        audit: .change("invited a user")
    ) { call, input in try await mail(.invitation, to: input.email, call) }

    package static let mailReset = AdminOperation<UserChoice, UserInfo>(
        .post("users/{email}/reset", .people),
        OperationText("mailPasswordReset", "Mail a user a code for setting a new password."),
        audit: .change("mailed a user a code for a new password")
    ) { call, input in
        try requirePasswords(call)
        return try await mail(.passwordReset, to: input.email, call)
    }

    private static func requirePasswords(_ call: OperationCall) throws(ServerError) {
        guard call.workplace.passwords == .off else { return }
        throw .badRequest(
            "passwords are off on this server (signIn.passwords): people sign in at a provider or with a passkey, and "
                + "'cumulus session create' makes a session without either", .credentials(.passwordsOff))
    }

    private static func mail(
        _ mail: PersonMail, to email: String, _ call: OperationCall
    ) async throws -> UserInfo {
        let account = try await requireAccount(email, call)
        try await call.accounts.users.check(account, within: call.identity.reach)
        guard account.emailVerified, !account.disabled else {
            throw ServerError.badRequest(
                "the account of '\(Naming.shown(account.handle))' is \(known: account.disabled ? "disabled" : "unverified"), "
                    + "so it gets no mail")
        }
        guard let send = call.workplace.mail else {
            throw ServerError.badRequest("mail is sent by a running server alone; name it with --server")
        }
        try await send(mail, account)
        return UserInfo(account)
    }

    static func requireAccount(_ email: String, _ call: OperationCall) async throws -> UserAccount {
        guard let account = try await call.accounts.users.find(named: email) else {
            throw ServerError(
                .notFound, "there is no user '\(Naming.shown(email))'; 'cumulus user create' makes one", .missing(.user)
            )
        }
        return account
    }
}

package struct UserPage: OperationInput {
    package let matching: String?
    package let page: PageChoice

    package static let fields = InputFields(
        Self.init, .text("matching", \.matching, "Part of an address or a name, or a whole id or user record name."),
        .group(\.page))
}

package struct NewUser: OperationInput {
    package let email: String
    package let givenName: String?
    package let familyName: String?
    package let phone: String?

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address."), .text("givenName", \.givenName, "Given name."),
        .text("familyName", \.familyName, "Family name."),
        .text("phone", \.phone, "Phone number, such as +15555550100."))
}

package struct NewAddress: OperationInput {
    package let email: String
    package let address: String?

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address until now, or the account's id."),
        .text("address", \.address, "The new email address; left out to take the address away."))
}

package struct NewPassword: OperationInput {
    package let email: String
    package let password: String

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address or the account's id."),
        .text("password", \.password, "The new password."))
}

/// A message about their account, sent to a user by an operator.
package enum PersonMail: Sendable {
    case invitation, passwordReset
}

package struct UserInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminUser", "An account.",
        [
            "email": "Left out for an account without an address.",
            "places": "The account's containers; present for single accounts only.",
        ])

    package let id: Int64
    package let email: String?
    package let emailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    package let phone: String?
    package let hasPassword: Bool
    package let disabled: Bool
    package let created: Timestamp
    /// The account's containers; present for single accounts only.
    package let places: [ContainerUser]?

    /// A container and the user's record name there.
    package struct ContainerUser: Codable, Hashable, Sendable {
        package let container: String
        package let userRecordName: String
    }

    /// The address, or the account's id without one.
    package var name: String { email ?? String(id) }

    init(_ account: UserAccount, places: [(container: String, recordName: String)]? = nil) {
        id = account.id
        email = account.email
        emailVerified = account.emailVerified
        givenName = account.givenName
        familyName = account.familyName
        phone = account.phone
        hasPassword = account.hasPassword
        disabled = account.disabled
        created = account.created
        self.places = places?.map { ContainerUser(container: $0.container, userRecordName: $0.recordName) }
    }
}
