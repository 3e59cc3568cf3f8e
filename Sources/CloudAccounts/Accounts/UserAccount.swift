import CloudEngine
package import CloudModel
package import CloudSQL

/// A person's account on this server, shared by all containers.
package struct UserAccount: Hashable, Sendable {
    package let id: Int64
    /// Nil for a person who came by a provider that vouches for no address.
    package let email: String?
    package let emailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    package let phone: String?
    package let disabled: Bool
    package let hasPassword: Bool
    package let created: Timestamp

    /// - Parameter row: a row that begins with ``columns``.
    init(row: SQLRow) {
        id = row.integer(0)
        email = row.optionalText(1)
        emailVerified = row.bool(2)
        givenName = row.optionalText(3)
        familyName = row.optionalText(4)
        phone = row.optionalText(5)
        disabled = row.bool(6)
        hasPassword = !row.isNull(7)
        created = row.timestamp(seconds: 8)
    }

    /// Nine columns.
    static let columns = """
        account.id, account.email, account.emailVerified, account.givenName, account.familyName, account.phone,
        account.disabled, account.password, account.created
        """

    /// By address, accounts without one last.
    static let order = "account.emailKey IS NULL, account.emailKey, account.id"

    package static func find(email: String, in db: SQLConnection) throws -> UserAccount? {
        // PostgreSQL refuses text with U+0000.
        guard !email.utf8.contains(0) else { return nil }
        return try db.first(
            "SELECT \(columns) FROM account WHERE emailKey = ?", .text(EmailAddress.key(email)),
            read: UserAccount.init(row:))
    }

    /// The account of this email address or id; the error for a missing account tells the operator how to create it.
    static func require(email: String, in db: SQLConnection) throws -> UserAccount {
        guard let account = try find(named: email, in: db) else {
            throw ServerError(
                .notFound, "there is no user '\(email)'; 'cumulus user create' makes one", .missing(.user))
        }
        return account
    }

    /// A connected identity or a passkey proves the person, whatever the state of the address.
    ///
    /// - Parameter allowsUnconfirmed: whether an unconfirmed address suffices, as in development.
    /// - Throws: `ACCESS_DENIED` if the account is disabled or its address unconfirmed.
    func requireMaySignIn(allowsUnconfirmed: Bool, in db: SQLConnection) throws {
        guard !disabled else {
            throw ServerError(
                .accessDenied, "user '\(handle)' is disabled; 'cumulus user enable' changes that",
                .credentials(.disabledUser))
        }
        guard
            try emailVerified || email == nil || allowsUnconfirmed || PersonIdentity.exist(of: id, in: db)
                || WaysIn.havePasskey(id, in: db)
        else {
            throw ServerError(
                .accessDenied,
                "the address of user '\(handle)' is not confirmed; they can enter the code they were sent, or "
                    + "'cumulus user confirm' vouches for it", .credentials(.unconfirmedUser))
        }
    }
}

/// The accounts of people.
package struct UserAccounts: Sendable {
    let database: AccountDatabase

    /// All accounts, by email address; accounts without one last.
    package func all() async throws -> [UserAccount] {
        try await database.pool.read { db in
            try db.all(
                "SELECT \(UserAccount.columns) FROM account ORDER BY \(UserAccount.order)", read: UserAccount.init(row:)
            )
        }
    }

    /// The first enabled accounts, by email address.
    package func enabled(limit: Int) async throws -> [UserAccount] {
        try await database.pool.read { db in
            try db.all(
                "SELECT \(UserAccount.columns) FROM account WHERE disabled = 0 ORDER BY \(UserAccount.order) LIMIT ?",
                .integer(Int64(limit)), read: UserAccount.init(row:))
        }
    }

    package func find(email: String) async throws -> UserAccount? {
        try await database.pool.read { try UserAccount.find(email: email, in: $0) }
    }

    /// Creates an account. By default its address counts as verified, because an operator vouches for it.
    ///
    /// - Throws: `EXISTS` if the address, in any case, has an account; `BAD_REQUEST` for an invalid address or phone number.
    package func create(
        email: String, givenName: String? = nil, familyName: String? = nil, phone: String? = nil,
        emailVerified: Bool = true
    ) async throws -> UserAccount {
        let email = try EmailAddress.check(email)
        let phone = try phone.map { try PhoneNumber.check($0) }
        return try await database.pool.write { [created = database.now()] db in
            guard try UserAccount.find(email: email, in: db) == nil else {
                throw ServerError(.exists, "user '\(email)' exists already", .taken(.user))
            }
            return try Self.insertAccount(
                email: email, givenName: givenName, familyName: familyName, phone: phone, verified: emailVerified,
                created: created, in: db)
        }
    }

    /// - Parameter email: a checked address without an account; nil for none.
    package static func insertAccount(
        email: String?, givenName: String?, familyName: String?, phone: String? = nil, password: String? = nil,
        verified: Bool, disabled: Bool = false, created: Timestamp, in db: SQLConnection
    ) throws -> UserAccount {
        let id = try db.first(
            """
            INSERT INTO account
                (email, emailKey, emailVerified, givenName, familyName, phone, password, disabled, created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """, .text(optional: email), .text(optional: email.map(EmailAddress.key)), .bool(verified),
            .text(optional: givenName), .text(optional: familyName), .text(optional: phone), .text(optional: password),
            .bool(disabled), .seconds(created)
        ) { $0.integer(0) }
        return try UserAccount.require(id: id ?? 0, in: db)
    }

    /// Enables an account, or disables it and ends its sessions and push registrations in every container.
    ///
    /// - Throws: `BAD_REQUEST` for an account marked for deletion, `ACCESS_DENIED` for an account beyond reach, `CONFLICT`
    ///   for the last owner's account.
    package func setDisabled(
        _ disabled: Bool, email: String, within reach: AccountReach = .everybody
    ) async throws -> UserAccount {
        try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            if disabled { try LastOwner.keep(besides: account, in: db) }
            try AccountDeletion.refuse(account, in: db)
            try db.run("UPDATE account SET disabled = ? WHERE id = ?", .bool(disabled), .integer(account.id))
            if disabled {
                try Self.endSessions(account: account.id, in: db)
                try EndedRegistration.end(account: account.id, in: db)
            }
            return try UserAccount.require(id: account.id, in: db)
        }
    }

    /// Ends web sessions, browser logins and console logins of an account.
    static func endSessions(account: Int64, in db: SQLConnection) throws {
        try db.run("DELETE FROM session WHERE account = ?", .integer(account))
        try db.run("DELETE FROM browserLogin WHERE account = ?", .integer(account))
        try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
    }

    /// Sets a password and ends all sessions and push registrations of the account, because the old password may be known to
    /// others.
    ///
    /// - Throws: `BAD_REQUEST` for a refused password, `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an
    ///   account beyond reach.
    package func setPassword(
        _ password: String, email: String, within reach: AccountReach = .everybody
    ) async throws -> UserAccount {
        let known = try await find(named: email)
        let address = known == nil ? email : known?.email
        guard let address else {
            throw ServerError.badRequest(
                "user '\(Naming.shown(email))' has no address to sign in with a password; 'cumulus user set-address' gives one"
            )
        }
        try PasswordRules.check(password, email: address)
        let hash = try await database.passwordWork.hash(password)
        return try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            try db.run("UPDATE account SET password = ? WHERE id = ?", .text(hash.text), .integer(account.id))
            try Self.endSessions(account: account.id, in: db)
            try EndedRegistration.end(account: account.id, in: db)
            return try UserAccount.require(id: account.id, in: db)
        }
    }

    /// Marks an account's address as confirmed: an operator vouches for it.
    ///
    /// - Throws: `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an account beyond reach.
    package func confirmAddress(email: String, within reach: AccountReach = .everybody) async throws -> UserAccount {
        try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            guard account.email != nil else {
                throw ServerError.badRequest(
                    "user '\(account.handle)' has no address; 'cumulus user set-address' gives one")
            }
            try db.run("UPDATE account SET emailVerified = 1 WHERE id = ?", .integer(account.id))
            return try UserAccount.require(id: account.id, in: db)
        }
    }

    /// Returns true if the password is this account's.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if too many passwords wait to be checked.
    package func isPassword(_ password: String, of account: UserAccount) async throws -> Bool {
        let known = try await database.pool.read { db in
            try db.first("SELECT password FROM account WHERE id = ? AND disabled = 0", .integer(account.id)) {
                $0.optionalText(0).map(PasswordHash.init(stored:))
            }
        }
        return try await database.passwordWork.fits(password, known ?? nil, .known)
    }

    /// The enabled account with this address and password; nil if either is wrong.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if too many passwords wait to be checked.
    package func find(
        email: String, password: String, turn: PasswordTurn = .known
    ) async throws -> UserAccount? {
        let known = try await database.pool.read { db in
            try db.first(
                "SELECT \(UserAccount.columns) FROM account WHERE emailKey = ? AND disabled = 0",
                .text(EmailAddress.key(email))
            ) { (account: UserAccount(row: $0), password: $0.optionalText(7).map(PasswordHash.init(stored:))) }
        }
        // Hashes a password for unknown addresses too, so that the time does not reveal accounts.
        return try await database.passwordWork.fits(password, known?.password, turn) ? known?.account : nil
    }
}
