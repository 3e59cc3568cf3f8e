import CloudEngine
import CloudModel
import CloudSQL

extension UserAccounts {
    /// Gives an account another address, or none. An operator vouches for the address, so it counts as confirmed. Codes mailed
    /// to the old address are void.
    ///
    /// - Throws: `EXISTS` if another account has the address; `BAD_REQUEST` for an invalid address, for an account that would be
    ///   left without a way in, or for an operator's account without an address; `NOT_FOUND` for an unknown account;
    ///   `ACCESS_DENIED` for an account beyond reach.
    package func setAddress(
        _ address: String?, email name: String, within reach: AccountReach = .everybody
    ) async throws -> UserAccount {
        let address = try address.map { try EmailAddress.check($0) }
        return try await database.pool.write { db in
            let account = try UserAccount.require(email: name, in: db)
            try reach.check(account, in: db)
            if let address, let other = try UserAccount.find(email: address, in: db), other.id != account.id {
                throw ServerError(.exists, "user '\(address)' exists already", .taken(.user))
            }
            if address == nil { try Self.refuseWithoutAddress(account, in: db) }
            try db.run("DELETE FROM registration WHERE account = ?", .integer(account.id))
            try db.run("DELETE FROM passwordReset WHERE account = ?", .integer(account.id))
            try db.run(
                "UPDATE account SET email = ?, emailKey = ?, emailVerified = ? WHERE id = ?", .text(optional: address),
                .text(optional: address.map(EmailAddress.key)), .bool(address != nil), .integer(account.id))
            return try UserAccount.require(id: account.id, in: db)
        }
    }

    private static func refuseWithoutAddress(_ account: UserAccount, in db: SQLConnection) throws {
        if try OperatorAccounts.include(account.id, in: db) {
            throw ServerError.badRequest("'\(account.handle)' is an operator, who signs in to the console by address")
        }
        guard try PersonIdentity.exist(of: account.id, in: db) else {
            throw ServerError.badRequest(
                "'\(account.handle)' has no other way to sign in; connect a provider before the address is taken away")
        }
    }
}

/// The migration to accounts without an address.
enum OptionalAddress {
    static func run(_ db: SQLConnection) throws {
        try db.script(layout)
        try joinSpellings(db)
    }

    /// SQLite cannot take a NOT NULL away, so the table is made anew. Ids are never reused: the new table counts on from the
    /// old one's last id.
    private static let layout = Layout(
        sqlite: """
            CREATE TABLE accountAnew (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                email TEXT,
                emailKey TEXT UNIQUE,
                emailVerified INTEGER NOT NULL,
                givenName TEXT,
                familyName TEXT,
                phone TEXT,
                disabled INTEGER NOT NULL DEFAULT 0,
                password TEXT,
                created REAL NOT NULL,
                isBeingDeleted BIGINT NOT NULL DEFAULT 0
            );
            INSERT INTO accountAnew
                (id, email, emailKey, emailVerified, givenName, familyName, phone, disabled, password, created, isBeingDeleted)
                SELECT id, email, emailKey, emailVerified, givenName, familyName, phone, disabled, password, created,
                    isBeingDeleted FROM account;
            DELETE FROM sqlite_sequence WHERE name = 'accountAnew';
            INSERT INTO sqlite_sequence (name, seq)
                SELECT 'accountAnew', seq FROM sqlite_sequence WHERE name = 'account';
            DROP TABLE account;
            ALTER TABLE accountAnew RENAME TO account;
            CREATE INDEX accountPhone ON account(phone) WHERE phone IS NOT NULL;
            CREATE TRIGGER accountUpdated AFTER UPDATE OF disabled ON account
                BEGIN UPDATE revision SET value = value + 1; END;
            """,
        postgres: """
            ALTER TABLE account ALTER COLUMN email DROP NOT NULL;
            ALTER TABLE account ALTER COLUMN emailKey DROP NOT NULL;
            """)

    /// Gives addresses of international domains the key of both spellings. Of two accounts with one address in two spellings,
    /// the confirmed one keeps it, else the older; the other is found by its id, and by the address as its name if it had none.
    private static func joinSpellings(_ db: SQLConnection) throws {
        let accounts = try db.all(
            "SELECT id, email, emailKey FROM account WHERE email IS NOT NULL ORDER BY emailVerified DESC, id"
        ) { (id: $0.integer(0), email: $0.text(1), key: EmailAddress.key($0.text(1)), old: $0.text(2)) }
        guard accounts.contains(where: { $0.key != $0.old }) else { return }
        var taken: Set<String> = []
        let (kept, lost) = accounts.reduce(into: (kept: accounts.prefix(0), lost: accounts.prefix(0))) {
            parts, account in
            if taken.insert(account.key).inserted { parts.kept.append(account) } else { parts.lost.append(account) }
        }
        for account in lost {
            try db.run(
                """
                UPDATE account SET email = NULL, emailKey = NULL, emailVerified = 0,
                    givenName = CASE WHEN givenName IS NULL AND familyName IS NULL THEN email ELSE givenName END
                WHERE id = ?
                """, .integer(account.id))
        }
        for account in kept where account.key != account.old {
            try db.run("UPDATE account SET emailKey = ? WHERE id = ?", .text(account.key), .integer(account.id))
        }
    }
}
