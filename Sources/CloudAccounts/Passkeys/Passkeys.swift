import CloudEngine
package import CloudIdentity
import CloudModel
import CloudSQL

/// The passkeys of people.
package struct Passkeys: Sendable {
    let database: AccountDatabase

    /// An account's passkeys, oldest first.
    package func all(of account: UserAccount) async throws -> [Passkey] {
        try await database.pool.read { try Passkey.all(of: account.id, in: $0) }
    }

    /// The `user.id` of an account, made at the first call.
    package func userHandle(of account: UserAccount) async throws -> [UInt8] {
        let select = "SELECT handle FROM passkeyUser WHERE account = ?"
        let known = try await database.pool.read { try $0.first(select, .integer(account.id)) { $0.blob(0) } }
        if let known { return known }
        let fresh = PasskeyOptions.userHandle()
        return try await database.pool.write { db in
            try db.run(
                "INSERT INTO passkeyUser (account, handle) VALUES (?, ?) ON CONFLICT DO NOTHING",
                .integer(account.id), .blob(fresh))
            return try db.first(select, .integer(account.id)) { $0.blob(0) } ?? fresh
        }
    }

    /// Adds a passkey whose registration was checked, and redeems its challenge.
    ///
    /// - Throws: ``PasskeyRefusal``; `BAD_REQUEST` for a refused name.
    package func add(
        _ passkey: NewPasskey, name: String, to account: UserAccount, relyingParty: String,
        redeeming ticket: SignInTicket
    ) async throws {
        try Passkey.checkName(name)
        let now = database.now()
        try await database.pool.write { db in
            try ticket.redeemChallenge(now: now, in: db)
            // On PostgreSQL, the update makes two additions to an account wait for each other.
            try db.run("UPDATE account SET password = password WHERE id = ?", .integer(account.id))
            guard try !UserAccount.require(id: account.id, in: db).disabled else { throw PasskeyRefusal.disabled }
            guard try Passkey.all(of: account.id, in: db).count < Passkey.mostPerAccount else {
                throw PasskeyRefusal.tooMany
            }
            let added = try db.run(
                """
                INSERT INTO passkey (\(Passkey.columns), publicKey, signCount)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?) ON CONFLICT DO NOTHING
                """, .blob(passkey.id), .integer(account.id), .text(relyingParty), .bool(passkey.isBackupEligible),
                .bool(passkey.isBackedUp), .text(passkey.transports.joined(separator: " ")), .blob(passkey.model),
                .text(name), .seconds(now), .blob(passkey.key.bytes), .integer(Int64(passkey.signCount)))
            guard added == 1 else { throw PasskeyRefusal.taken }
        }
    }

    /// Checks an answer to a challenge, notes the use and redeems the challenge. An answer that is refused writes nothing.
    ///
    /// - Returns: the passkey's account, and whether its counter went back where the policy allows that.
    /// - Throws: ``PasskeyRefusal``.
    package func use(
        _ answer: AssertionAnswer, challenge: [UInt8], rules: PasskeyRules, redeeming ticket: SignInTicket
    ) async throws -> (account: UserAccount, mayBeCopied: Bool) {
        let now = database.now()
        _ = try await database.pool.read { try Self.check(answer, challenge, rules, in: $0) }
        return try await database.pool.write { db in
            try ticket.redeemChallenge(now: now, in: db)
            // Again, since another answer may have moved the counter.
            let (account, use) = try Self.check(answer, challenge, rules, in: db)
            try db.run(
                "UPDATE passkey SET signCount = ?, isBackedUp = ?, lastUsed = ? WHERE id = ?",
                .integer(Int64(use.signCount)), .bool(use.isBackedUp), .seconds(now), .blob(answer.id))
            return (account, use.mayBeCopied)
        }
    }

    private static func check(
        _ answer: AssertionAnswer, _ challenge: [UInt8], _ rules: PasskeyRules, in db: SQLConnection
    ) throws -> (UserAccount, PasskeyUse) {
        let found = try db.first(
            """
            SELECT passkey.account, publicKey, signCount, isBackupEligible, handle
            FROM passkey JOIN passkeyUser ON passkeyUser.account = passkey.account WHERE passkey.id = ?
            """, .blob(answer.id)
        ) {
            (account: $0.integer(0), key: $0.blob(1), count: $0.integer(2), isEligible: $0.bool(3), handle: $0.blob(4))
        }
        guard let found else { throw PasskeyRefusal.unknown }
        let use: PasskeyUse
        do throws(PasskeyFault) {
            let stored = StoredPasskey(
                id: answer.id, key: try PasskeyKey(bytes: found.key), signCount: UInt32(clamping: found.count),
                isBackupEligible: found.isEligible, userHandle: found.handle)
            use = try rules.use(stored, answer, challenge: challenge)
        } catch { throw PasskeyRefusal.fault(error) }
        let account = try UserAccount.require(id: found.account, in: db)
        guard !account.disabled else { throw PasskeyRefusal.disabled }
        return (account, use)
    }

    /// - Parameter key: ``Passkey/key``.
    /// - Returns: false for a passkey that the account has not.
    /// - Throws: `BAD_REQUEST` for a refused name.
    package func rename(_ key: String, to name: String, of account: UserAccount) async throws -> Bool {
        try Passkey.checkName(name)
        return try await database.pool.write { db in
            guard let passkey = try Self.find(key, of: account.id, in: db) else { return false }
            return try db.run("UPDATE passkey SET name = ? WHERE id = ?", .text(name), .blob(passkey.id)) > 0
        }
    }

    /// - Parameters:
    ///   - key: ``Passkey/key``.
    ///   - countsPassword: whether a password is a way in.
    /// - Returns: false for a passkey that the account has not.
    /// - Throws: `CONFLICT` for the last way in.
    package func remove(_ key: String, of account: UserAccount, countsPassword: Bool = true) async throws -> Bool {
        try await database.pool.write { db in
            guard let passkey = try Self.find(key, of: account.id, in: db) else { return false }
            try WaysIn.keepOne(of: account.id, removing: .passkey, countsPassword: countsPassword, in: db)
            return try db.run("DELETE FROM passkey WHERE id = ?", .blob(passkey.id)) > 0
        }
    }

    private static func find(_ key: String, of account: Int64, in db: SQLConnection) throws -> Passkey? {
        try Passkey.all(of: account, in: db).first { $0.key.isExactly(key) }
    }

    /// Whether anybody has a passkey for a relying-party id.
    package func exist(for relyingParty: String) async throws -> Bool {
        try await database.pool.read { db in
            try db.exists("SELECT 1 FROM passkey WHERE relyingParty = ?", .text(relyingParty))
        }
    }

    /// The number of passkeys made for other relying-party ids, and one of these ids; nil for none.
    package func others(than relyingParty: String) async throws -> (count: Int, relyingParty: String)? {
        try await database.pool.read { db in
            let found = try db.first(
                "SELECT COUNT(*), MIN(relyingParty) FROM passkey WHERE relyingParty <> ?", .text(relyingParty)
            ) { (count: Int($0.integer(0)), relyingParty: $0.optionalText(1)) }
            return found.flatMap { found in found.relyingParty.map { (found.count, $0) } }
        }
    }
}

extension AccountStore {
    package var passkeys: Passkeys { Passkeys(database: database) }
}
