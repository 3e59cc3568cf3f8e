package import CloudModel
import CloudSQL

/// An account that may sign in to the console.
package struct ServerOperator: Hashable, Sendable {
    package let account: UserAccount
    package let role: OperatorRole
    /// Whether an authenticator app has been set up.
    package let hasSecondFactor: Bool
    package let created: Timestamp

    /// Three of them, after an account's nine.
    static let columns = "consoleOperator.role, consoleOperator.secret, consoleOperator.created"

    static let select = """
        SELECT \(UserAccount.columns), \(columns)
        FROM consoleOperator JOIN account ON account.id = consoleOperator.account
        """

    /// - Parameter row: one that begins with an account's columns and ``columns``.
    init(row: SQLRow) {
        account = UserAccount(row: row)
        // A role that this version does not know may look.
        role = OperatorRole(rawValue: row.text(9)) ?? .viewer
        hasSecondFactor = !row.isNull(10)
        created = row.timestamp(seconds: 11)
    }

    static func require(email: String, in db: SQLConnection) throws -> ServerOperator {
        let found = try db.first(
            "\(select) WHERE account.emailKey = ?", .text(EmailAddress.key(email)), read: ServerOperator.init(row:))
        guard let found else {
            throw ServerError(
                .notFound, "'\(Naming.shown(email))' is no operator; 'cumulus operator list' shows them",
                .missing(.user))
        }
        return found
    }

    /// Whether an account is an operator's.
    static func includes(_ account: Int64, in db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM consoleOperator WHERE account = ?", .integer(account))
    }
}

/// An operator, and the code with which they set up their authenticator app. The code is given here for the only time.
package struct EnrollingOperator: Sendable {
    package let `operator`: ServerOperator
    package let code: String
}

extension AccountStore {
    /// All operators, by address.
    package func operators() async throws -> [ServerOperator] {
        try await pool.read { db in
            try db.all("\(ServerOperator.select) ORDER BY account.emailKey", read: ServerOperator.init(row:))
        }
    }

    /// Lets an account into the console.
    ///
    /// - Throws: `NOT_FOUND` for an address without an account, `BAD_REQUEST` for one that nobody has confirmed,
    ///   `EXISTS` for an operator.
    package func addOperator(
        email: String, role: OperatorRole, maker: CredentialMaker? = nil
    ) async throws -> EnrollingOperator {
        let now = now()
        return try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            // Whoever confirms such an address would take the place of its account.
            guard account.emailVerified else {
                throw ServerError.badRequest(
                    "the address of '\(account.email)' is not confirmed; 'cumulus user confirm' vouches for it")
            }
            try MadeCredentials.releaseMaker(ofOperator: account.id, in: db)
            let added = try db.run(
                """
                INSERT INTO consoleOperator (account, role, created, maker) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """, .integer(account.id), .text(role.rawValue), .seconds(now), .text(optional: maker?.text))
            guard added > 0 else {
                throw ServerError(
                    .exists,
                    "'\(account.email)' is an operator already; 'cumulus operator set-role' changes the role, "
                        + "'cumulus operator reset-second-factor' gives another code to set up the app",
                    .taken(.user))
            }
            let code = try SecondFactor.makeEnrolmentCode(account: account.id, now: now, in: db)
            return EnrollingOperator(operator: try ServerOperator.require(email: email, in: db), code: code)
        }
    }

    /// Gives an operator another role, and signs them out of the console.
    ///
    /// - Throws: `CONFLICT` where it would leave no owner.
    package func setOperatorRole(_ role: OperatorRole, email: String) async throws -> ServerOperator {
        try await pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account
            if role != .owner { try LastOwner.keep(besides: account, in: db) }
            try db.run(
                "UPDATE consoleOperator SET role = ? WHERE account = ?", .text(role.rawValue), .integer(account.id))
            try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account.id))
            return try ServerOperator.require(email: email, in: db)
        }
    }

    /// Forgets an operator's authenticator app and recovery codes, and signs them out of the console.
    ///
    /// - Returns: the operator, with the code for the next app.
    package func resetSecondFactor(email: String) async throws -> EnrollingOperator {
        let now = now()
        return try await pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account.id
            try db.run("UPDATE consoleOperator SET secret = NULL, lastStep = 0 WHERE account = ?", .integer(account))
            try db.run("DELETE FROM recoveryCode WHERE account = ?", .integer(account))
            try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
            let code = try SecondFactor.makeEnrolmentCode(account: account, now: now, in: db)
            return EnrollingOperator(operator: try ServerOperator.require(email: email, in: db), code: code)
        }
    }

    /// Closes the console to an account, and forgets its authenticator app and recovery codes.
    ///
    /// - Throws: `CONFLICT` where it would leave no owner.
    package func removeOperator(email: String) async throws {
        try await pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account
            try LastOwner.keep(besides: account, in: db)
            try MadeCredentials.keepMaker(ofOperator: account.id, in: db)
            try db.run("DELETE FROM consoleOperator WHERE account = ?", .integer(account.id))
        }
    }
}
