import CloudEngine
import CloudModel
package import CloudSQL

/// The ways in which a person can sign in to an account.
package struct WaysIn: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case password, identity, passkey
    }

    package var hasPassword: Bool
    /// The number of connected identities.
    package var identities: Int
    package var passkeys: Int

    package init(hasPassword: Bool, identities: Int, passkeys: Int) {
        self.hasPassword = hasPassword
        self.identities = identities
        self.passkeys = passkeys
    }

    package var count: Int { (hasPassword ? 1 : 0) + identities + passkeys }

    package static func find(of account: Int64, in db: SQLConnection) throws -> WaysIn {
        let found = try db.first(
            """
            SELECT CASE WHEN password IS NULL OR email IS NULL THEN 0 ELSE 1 END,
                (SELECT COUNT(*) FROM identity WHERE identity.account = account.id),
                (SELECT COUNT(*) FROM passkey WHERE passkey.account = account.id)
            FROM account WHERE id = ?
            """, .integer(account)
        ) { WaysIn(hasPassword: $0.bool(0), identities: Int($0.integer(1)), passkeys: Int($0.integer(2))) }
        return found ?? WaysIn(hasPassword: false, identities: 0, passkeys: 0)
    }

    /// Returns true for an account with a passkey.
    static func havePasskey(_ account: Int64, in db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM passkey WHERE account = ?", .integer(account))
    }

    /// Keeps the last way in, in the transaction that removes one. Transactions of one account wait for each other here.
    ///
    /// - Parameters:
    ///   - kind: the kind of the way that is to be removed, which the account has.
    ///   - countsPassword: whether a password is a way in.
    /// - Throws: `CONFLICT` if no way would be left.
    package static func keepOne(
        of account: Int64, removing kind: Kind, countsPassword: Bool = true, in db: SQLConnection
    ) throws {
        // On PostgreSQL, the update locks the row: two removals at once would else each see the other's way.
        try db.run("UPDATE account SET password = password WHERE id = ?", .integer(account))
        var ways = try find(of: account, in: db)
        if !countsPassword { ways.hasPassword = false }
        guard ways.count == 1, ways.has(kind) else { return }
        throw ServerError(
            .conflict, "the last way to sign in cannot be removed; add another first", .credentials(.lastWayIn))
    }

    private func has(_ kind: Kind) -> Bool {
        switch kind {
        case .password: hasPassword
        case .identity: identities > 0
        case .passkey: passkeys > 0
        }
    }
}

/// An account's ways in.
extension UserAccounts {
    package func waysIn(_ account: UserAccount) async throws -> WaysIn {
        try await database.pool.read { try WaysIn.find(of: account.id, in: $0) }
    }
}
