import CloudModel
import CloudSQL

/// The accounts that somebody may change.
package enum AccountReach: Sendable {
    /// Every account.
    case everybody
    /// Accounts that are no operators. Who could change an operator's could become that operator.
    case nonOperators

    /// - Throws: `ACCESS_DENIED` for the account of an operator beyond reach.
    func check(_ account: UserAccount, in db: SQLConnection) throws {
        guard self == .nonOperators, try ServerOperator.includes(account.id, in: db) else { return }
        throw ServerError(
            .accessDenied,
            "'\(account.email)' is an operator; changing the account of one needs every scope and no container, as "
                + "making one does", .credentials(.operatorsAccount))
    }
}

/// The rule that a server has an owner for good, once it has one.
enum LastOwner {
    /// - Throws: `CONFLICT` where no owner who may sign in would be left without this account.
    static func keep(besides account: UserAccount, in db: SQLConnection) throws {
        // It locks the owners' rows: of two removals at a time the second sees the first.
        try db.run("UPDATE consoleOperator SET role = role WHERE role = ?", .text(OperatorRole.owner.rawValue))
        guard try isThere("account.id = ?", account, in: db), try !isThere("account.id <> ?", account, in: db) else {
            return
        }
        throw ServerError(
            .conflict,
            "'\(account.email)' is the last owner of this server; make another account an owner first, with "
                + "'cumulus operator add --role owner' or 'cumulus operator set-role'", .taken(.user))
    }

    /// Whether there is an owner who may sign in, of the accounts that a condition chooses.
    private static func isThere(
        _ condition: String, _ account: UserAccount, in db: SQLConnection
    ) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM consoleOperator JOIN account ON account.id = consoleOperator.account
            WHERE role = ? AND NOT disabled AND emailVerified AND \(condition)
            """, .text(OperatorRole.owner.rawValue), .integer(account.id))
    }
}

extension AccountStore {
    /// - Throws: `ACCESS_DENIED` for the account of an operator beyond reach.
    package func check(_ account: UserAccount, within reach: AccountReach) async throws {
        try await pool.read { try reach.check(account, in: $0) }
    }
}
