import CloudEngine
package import CloudModel
import CloudSQL

/// An account with access to the console.
package struct ServerOperator: Hashable, Sendable {
    package let account: UserAccount
    package let role: OperatorRole
    /// Whether an authenticator app has been set up.
    package let hasSecondFactor: Bool
    package let created: Timestamp

    /// Three columns, after an account's nine columns.
    static let columns = "consoleOperator.role, consoleOperator.secret, consoleOperator.created"

    static let select = """
        SELECT \(UserAccount.columns), \(columns)
        FROM consoleOperator JOIN account ON account.id = consoleOperator.account
        """

    /// - Parameter row: a row that begins with an account's columns and ``columns``.
    init(row: SQLRow) {
        account = UserAccount(row: row)
        // An unknown role, of a later version, may only look.
        role = OperatorRole(rawValue: row.text(9)) ?? .viewer
        hasSecondFactor = !row.isNull(10)
        created = row.timestamp(seconds: 11)
    }

    /// - Parameter email: the account's address or id.
    static func require(email: String, in db: SQLConnection) throws -> ServerOperator {
        let account = try UserAccount.find(named: email, in: db)
        let found = try db.first(
            "\(select) WHERE account.id = ?", .integer(account?.id ?? 0), read: ServerOperator.init(row:))
        guard let found else {
            throw ServerError(
                .notFound, "'\(Naming.shown(email))' is no operator; 'cumulus operator list' shows them",
                .missing(.user))
        }
        return found
    }
}

/// An operator, with the code for setting up the authenticator app. The code cannot be read again.
package struct EnrollingOperator: Sendable {
    package let `operator`: ServerOperator
    package let code: String
}

/// The operators of a server.
package struct Operators: Sendable {
    let database: AccountDatabase

    /// All operators, by address.
    package func list() async throws -> [ServerOperator] {
        try await database.pool.read { db in
            try db.all("\(ServerOperator.select) ORDER BY \(UserAccount.order)", read: ServerOperator.init(row:))
        }
    }

    /// Makes an account an operator's.
    ///
    /// - Throws: `NOT_FOUND` for an address without an account, `BAD_REQUEST` for an unconfirmed address, `EXISTS` for an
    ///   operator.
    package func add(
        email: String, role: OperatorRole, maker: CredentialMaker? = nil
    ) async throws -> EnrollingOperator {
        let now = database.now()
        return try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            // The person who confirms such an address would replace its account.
            guard account.emailVerified else {
                throw ServerError.badRequest(
                    "the address of '\(account.handle)' is not confirmed; 'cumulus user confirm' vouches for it")
            }
            try MadeCredentials.releaseMaker(ofOperator: account.id, in: db)
            let added = try db.run(
                """
                INSERT INTO consoleOperator (account, role, created, maker) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                """, .integer(account.id), .text(role.rawValue), .seconds(now), .text(optional: maker?.text))
            guard added > 0 else {
                throw ServerError(
                    .exists,
                    "'\(account.handle)' is an operator already; 'cumulus operator set-role' changes the role, "
                        + "'cumulus operator reset-second-factor' gives another code to set up the app",
                    .taken(.user))
            }
            let code = try SecondFactor.makeEnrolmentCode(account: account.id, now: now, in: db)
            return EnrollingOperator(operator: try ServerOperator.require(email: email, in: db), code: code)
        }
    }

    /// Changes an operator's role, and signs the operator out of the console.
    ///
    /// - Throws: `CONFLICT` if no owner would be left.
    package func setRole(_ role: OperatorRole, email: String) async throws -> ServerOperator {
        try await database.pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account
            if role != .owner { try LastOwner.keep(besides: account, in: db) }
            try GivenRoleTable.forgetOperator(account.id, in: db)
            try db.run(
                "UPDATE consoleOperator SET role = ? WHERE account = ?", .text(role.rawValue), .integer(account.id))
            try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account.id))
            return try ServerOperator.require(email: email, in: db)
        }
    }

    /// Deletes an operator's authenticator app and recovery codes, trusts no passkey any more, and signs the operator out of the console.
    ///
    /// - Returns: the operator, with the code for setting up the next app.
    package func resetSecondFactor(email: String) async throws -> EnrollingOperator {
        let now = database.now()
        return try await database.pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account.id
            try db.run("UPDATE consoleOperator SET secret = NULL, lastStep = 0 WHERE account = ?", .integer(account))
            try db.run("DELETE FROM recoveryCode WHERE account = ?", .integer(account))
            try ConsolePasskeyTable.removeAll(of: account, in: db)
            try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
            let code = try SecondFactor.makeEnrolmentCode(account: account, now: now, in: db)
            return EnrollingOperator(operator: try ServerOperator.require(email: email, in: db), code: code)
        }
    }

    /// Removes an operator, with authenticator app and recovery codes; the account stays.
    ///
    /// - Throws: `CONFLICT` if no owner would be left.
    package func remove(email: String) async throws {
        try await database.pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account
            try LastOwner.keep(besides: account, in: db)
            try MadeCredentials.keepMaker(ofOperator: account.id, in: db)
            try GivenRoleTable.forgetOperator(account.id, in: db)
            try db.run("DELETE FROM consoleOperator WHERE account = ?", .integer(account.id))
        }
    }
}
