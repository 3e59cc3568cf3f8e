import CloudEngine
import CloudModel
import CloudSQL

/// Accounts that a caller may change.
package enum AccountReach: Sendable {
    /// Every account.
    case everybody
    /// Accounts of non-operators: a caller who changes an operator's account could sign in as that operator.
    case nonOperators

    /// - Throws: `ACCESS_DENIED` for an operator's account beyond reach.
    func check(_ account: UserAccount, in db: SQLConnection) throws {
        guard self == .nonOperators, try OperatorAccounts.include(account.id, in: db) else { return }
        throw ServerError(
            .accessDenied,
            "'\(account.handle)' is an operator; changing the account of one needs every scope and no container, as "
                + "making one does", .credentials(.operatorsAccount))
    }
}

/// The accounts with access to the console.
enum OperatorAccounts {
    static func include(_ account: Int64, in db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM consoleOperator WHERE account = ?", .integer(account))
    }
}

/// Prevents removal of the server's last owner.
enum LastOwner {
    /// - Throws: `CONFLICT` if the account is the only owner who may sign in.
    static func keep(besides account: UserAccount, in db: SQLConnection) throws {
        // Locks the owners' rows, so that of two concurrent removals the second sees the first.
        try db.run("UPDATE consoleOperator SET role = role WHERE role = ?", .text(OperatorRole.owner.rawValue))
        guard try isThere("account.id = ?", account, in: db), try !isThere("account.id <> ?", account, in: db) else {
            return
        }
        throw ServerError(
            .conflict,
            "'\(account.handle)' is the last owner of this server; make another account an owner first, with "
                + "'cumulus operator add --role owner' or 'cumulus operator set-role'", .taken(.user))
    }

    /// Whether an owner with the right to sign in is among the accounts that meet a condition.
    private static func isThere(
        _ condition: String, _ account: UserAccount, in db: SQLConnection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM consoleOperator JOIN account ON account.id = consoleOperator.account
            WHERE role = ? AND disabled = 0 AND emailVerified = 1 AND \(condition)
            """, .text(OperatorRole.owner.rawValue), .integer(account.id))
    }
}

extension UserAccounts {
    /// - Throws: `ACCESS_DENIED` for an operator's account beyond reach.
    package func check(_ account: UserAccount, within reach: AccountReach) async throws {
        try await database.pool.read { try reach.check(account, in: $0) }
    }
}
