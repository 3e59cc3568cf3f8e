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
    /// - Throws: `NOT_FOUND` for an address without an account, `EXISTS` for an operator.
    package func addOperator(email: String, role: OperatorRole) async throws -> ServerOperator {
        let now = now()
        return try await pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            let added = try db.run(
                "INSERT INTO consoleOperator (account, role, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                .integer(account.id), .text(role.rawValue), .seconds(now))
            guard added > 0 else {
                throw ServerError(
                    .exists, "'\(account.email)' is an operator already; 'cumulus operator set-role' changes the role",
                    .taken(.user))
            }
            return try ServerOperator.require(email: email, in: db)
        }
    }

    /// Gives an operator another role, and signs them out of the console.
    package func setOperatorRole(_ role: OperatorRole, email: String) async throws -> ServerOperator {
        try await pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account.id
            try db.run("UPDATE consoleOperator SET role = ? WHERE account = ?", .text(role.rawValue), .integer(account))
            try db.run("DELETE FROM consoleLogin WHERE account = ?", .integer(account))
            return try ServerOperator.require(email: email, in: db)
        }
    }

    /// Closes the console to an account, and forgets its authenticator app and recovery codes.
    package func removeOperator(email: String) async throws {
        try await pool.write { db in
            let account = try ServerOperator.require(email: email, in: db).account.id
            try db.run("DELETE FROM consoleOperator WHERE account = ?", .integer(account))
        }
    }
}
