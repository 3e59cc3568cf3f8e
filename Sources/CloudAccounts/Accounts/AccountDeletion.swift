import CloudEngine
import CloudModel
import CloudSQL

/// Accounts marked for deletion. Until their data is deleted, they stay disabled and their addresses stay reserved.
enum AccountDeletion {
    static let column = "ALTER TABLE account ADD COLUMN isBeingDeleted BIGINT NOT NULL DEFAULT 0"

    /// - Throws: `BAD_REQUEST` for an account marked for deletion.
    static func refuse(_ account: UserAccount, in db: SQLConnection) throws {
        let marked = try db.first(
            "SELECT 1 FROM account WHERE id = ? AND isBeingDeleted <> 0", .integer(account.id)
        ) { _ in true }
        guard marked == nil else {
            throw ServerError.badRequest(
                "user '\(account.handle)' is being deleted; 'cumulus user delete' goes on with it")
        }
    }
}

extension UserAccounts {
    /// Marks an account for deletion, and ends its sessions and push registrations.
    ///
    /// - Throws: `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an account beyond reach, `CONFLICT` for
    ///   the last owner's account.
    package func beginDeletion(email: String, within reach: AccountReach) async throws -> UserAccount {
        try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            try LastOwner.keep(besides: account, in: db)
            try db.run("UPDATE account SET disabled = 1, isBeingDeleted = 1 WHERE id = ?", .integer(account.id))
            try UserAccounts.endSessions(account: account.id, in: db)
            try EndedRegistration.end(account: account.id, in: db)
            try db.run("DELETE FROM registration WHERE account = ?", .integer(account.id))
            return account
        }
    }

    /// Accounts marked for deletion and not yet deleted.
    package func inDeletion() async throws -> [UserAccount] {
        try await database.pool.read { db in
            try db.all(
                "SELECT \(UserAccount.columns) FROM account WHERE isBeingDeleted <> 0 ORDER BY id",
                read: UserAccount.init(row:))
        }
    }

    /// Deletes the row of a marked account; rows that refer to it cascade.
    package func finishDeletion(account: Int64) async throws {
        try await database.pool.write { db in
            try MadeCredentials.keepMaker(ofOperator: account, in: db)
            _ = try db.run("DELETE FROM account WHERE id = ? AND isBeingDeleted <> 0", .integer(account))
        }
    }
}
