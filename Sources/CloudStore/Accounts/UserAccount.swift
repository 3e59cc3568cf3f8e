package import CloudModel
import CloudSQL

/// A person's account on this server, the same in every container.
package struct UserAccount: Hashable, Sendable {
    package let id: Int64
    package let email: String
    package let emailVerified: Bool
    package let givenName: String?
    package let familyName: String?
    package let phone: String?
    package let disabled: Bool
    package let hasPassword: Bool
    package let created: Timestamp

    /// - Parameter row: one that begins with ``columns``.
    init(row: SQLRow) {
        id = row.integer(0)
        email = row.text(1)
        emailVerified = row.bool(2)
        givenName = row.optionalText(3)
        familyName = row.optionalText(4)
        phone = row.optionalText(5)
        disabled = row.bool(6)
        hasPassword = !row.isNull(7)
        created = row.timestamp(seconds: 8)
    }

    /// Nine of them.
    static let columns = """
        account.id, account.email, account.emailVerified, account.givenName, account.familyName, account.phone,
        account.disabled, account.password, account.created
        """

    static func find(email: String, in db: SQLConnection) throws -> UserAccount? {
        // PostgreSQL takes no text with U+0000, so it cannot be asked.
        guard !email.utf8.contains(0) else { return nil }
        return try db.first(
            "SELECT \(columns) FROM account WHERE emailKey = ?", .text(EmailAddress.key(email)),
            read: UserAccount.init(row:))
    }

    /// The account of this email address, or an error that tells what to do.
    static func require(email: String, in db: SQLConnection) throws -> UserAccount {
        guard let account = try find(email: email, in: db) else {
            throw ServerError(
                .notFound, "there is no user '\(email)'; 'cumulus user create' makes one", .missing(.user))
        }
        return account
    }

    /// - Parameter allowsUnconfirmed: whether an address that nobody has confirmed will do, as in development.
    /// - Throws: `ACCESS_DENIED` for an account that may not sign in.
    func requireMaySignIn(allowsUnconfirmed: Bool) throws {
        guard !disabled else {
            throw ServerError(
                .accessDenied, "user '\(email)' is disabled; 'cumulus user enable' changes that",
                .credentials(.disabledUser))
        }
        guard emailVerified || allowsUnconfirmed else {
            throw ServerError(
                .accessDenied,
                "the address of user '\(email)' is not confirmed; they can enter the code they were sent, or "
                    + "'cumulus user confirm' vouches for it", .credentials(.unconfirmedUser))
        }
    }
}

extension AccountStore {
    /// Every account, by email address.
    package func userAccounts() async throws -> [UserAccount] {
        try await pool.read { db in
            try db.all("SELECT \(UserAccount.columns) FROM account ORDER BY emailKey", read: UserAccount.init(row:))
        }
    }

    /// The first accounts that are not disabled, by email address.
    package func userAccounts(limit: Int) async throws -> [UserAccount] {
        try await pool.read { db in
            try db.all(
                "SELECT \(UserAccount.columns) FROM account WHERE NOT disabled ORDER BY emailKey LIMIT ?",
                .integer(Int64(limit)), read: UserAccount.init(row:))
        }
    }

    package func userAccount(email: String) async throws -> UserAccount? {
        try await pool.read { try UserAccount.find(email: email, in: $0) }
    }

    /// Makes an account. Its address counts as verified unless told otherwise: an operator vouches for it.
    ///
    /// - Throws: `EXISTS` when the address, in whatever case, has an account; `BAD_REQUEST` when it is none.
    package func createUserAccount(
        email: String, givenName: String? = nil, familyName: String? = nil, phone: String? = nil,
        emailVerified: Bool = true
    ) async throws -> UserAccount {
        let email = try EmailAddress.check(email)
        let phone = try phone.map { try PhoneNumber.check($0) }
        return try await pool.write { [created = now()] db in
            guard try UserAccount.find(email: email, in: db) == nil else {
                throw ServerError(.exists, "user '\(email)' exists already", .taken(.user))
            }
            return try Self.insertAccount(
                email: email, givenName: givenName, familyName: familyName, phone: phone, verified: emailVerified,
                created: created, in: db)
        }
    }

    /// - Parameter email: checked, and without an account.
    static func insertAccount(
        email: String, givenName: String?, familyName: String?, phone: String? = nil, password: String? = nil,
        verified: Bool, disabled: Bool = false, created: Timestamp, in db: SQLConnection
    ) throws -> UserAccount {
        try db.run(
            """
            INSERT INTO account
                (email, emailKey, emailVerified, givenName, familyName, phone, password, disabled, created)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(email), .text(EmailAddress.key(email)), .bool(verified), .text(optional: givenName),
            .text(optional: familyName), .text(optional: phone), .text(optional: password), .bool(disabled),
            .seconds(created))
        return try UserAccount.require(email: email, in: db)
    }

    /// Disables an account, ending its sessions in every container, or enables it again.
    ///
    /// - Throws: `BAD_REQUEST` for one that is being deleted, `ACCESS_DENIED` for one beyond reach, `CONFLICT` for the
    ///   last owner's.
    package func setDisabled(
        _ disabled: Bool, email: String, within reach: AccountReach = .everybody
    ) async throws -> UserAccount {
        try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            if disabled { try LastOwner.keep(besides: account, in: db) }
            try AccountDeletion.refuse(account, in: db)
            try db.run("UPDATE account SET disabled = ? WHERE id = ?", .bool(disabled), .integer(account.id))
            if disabled {
                try Self.endSessions(account: account.id, in: db)
                try EndedRegistration.end(account: account.id, in: db)
            }
            return try UserAccount.require(email: email, in: db)
        }
    }

    /// Signs an account out everywhere.
    static func endSessions(account: Int64, in db: SQLConnection) throws {
        try db.run("DELETE FROM session WHERE account = ?", .integer(account))
        try db.run("DELETE FROM browserLogin WHERE account = ?", .integer(account))
        try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
    }

    /// Sets a password and signs the account out everywhere: whoever knew the old one is to go.
    ///
    /// Ends web sessions, browser logins and push registrations.
    /// - Throws: `BAD_REQUEST` for a password that nobody may have, `NOT_FOUND` for an address without an account,
    ///   `ACCESS_DENIED` for an account beyond reach.
    package func setPassword(
        _ password: String, email: String, within reach: AccountReach = .everybody
    ) async throws -> UserAccount {
        try PasswordRules.check(password, email: email)
        let hash = try await passwordWork.hash(password)
        return try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            try db.run("UPDATE account SET password = ? WHERE id = ?", .text(hash.text), .integer(account.id))
            try Self.endSessions(account: account.id, in: db)
            try EndedRegistration.end(account: account.id, in: db)
            return try UserAccount.require(email: email, in: db)
        }
    }

    /// Takes an account's address for confirmed: an operator vouches for it.
    ///
    /// - Throws: `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an account beyond reach.
    package func confirmAddress(email: String, within reach: AccountReach = .everybody) async throws -> UserAccount {
        try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            try db.run("UPDATE account SET emailVerified = 1 WHERE id = ?", .integer(account.id))
            return try UserAccount.require(email: email, in: db)
        }
    }

    /// The account this is the address and the password of, if it may sign in.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when too many passwords wait to be checked.
    package func account(
        email: String, password: String, turn: PasswordTurn = .known
    ) async throws -> UserAccount? {
        let known = try await pool.read { db in
            try db.first(
                "SELECT \(UserAccount.columns) FROM account WHERE emailKey = ? AND NOT disabled",
                .text(EmailAddress.key(email))
            ) { (account: UserAccount(row: $0), password: $0.optionalText(7).map(PasswordHash.init(stored:))) }
        }
        // An unknown address takes as long as a wrong password.
        return try await passwordWork.fits(password, known?.password, turn) ? known?.account : nil
    }
}
