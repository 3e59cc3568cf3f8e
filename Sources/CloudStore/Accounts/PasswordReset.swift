package import CloudModel
import CloudSQL
import CloudCrypto

/// Somebody has asked for a new password for an address.
package struct PasswordReset: Hashable, Sendable {
    /// The id with which the browser that asked goes on; unguessable.
    package let id: String
    /// The address as it was given, checked.
    package let email: String
    /// The code to send to the address; nil when no account may sign in with it, which nobody is told.
    package let code: String?

    /// The time a code is good for.
    package static let lifetime = Duration.seconds(30 * 60)

    /// The outcome of an entered code.
    package enum Outcome: Hashable, Sendable {
        /// The account has the new password, and is signed out everywhere.
        case done(UserAccount)
        case wrong(attemptsLeft: Int)
        /// Used up, too old or never there.
        case gone
    }

    static let table = """
        CREATE TABLE passwordReset (
            id BLOB PRIMARY KEY,
            code BLOB,
            account INTEGER REFERENCES account ON DELETE CASCADE,
            email TEXT NOT NULL,
            attemptsLeft INTEGER NOT NULL,
            expires REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX passwordResetAccount ON passwordReset(account) WHERE account IS NOT NULL;
        CREATE INDEX passwordResetExpires ON passwordReset(expires);
        """
}

extension AccountStore {
    /// Begins to give the account of an address a new password. It looks the same whether or not there is one.
    ///
    /// - Throws: `BAD_REQUEST` for an address that will not do.
    package func resetPassword(email: String) async throws -> PasswordReset {
        let email = try EmailAddress.check(email)
        let id = RandomText.hex(bytes: 16)
        let code = MailedCode()
        let digest = code.digest(id: id, try await secret(for: "password-reset"))
        let hasAccount = try await pool.write { [now = now()] db in
            try db.run("DELETE FROM passwordReset WHERE expires < ?", .seconds(now))
            let account = try db.first(
                "SELECT id FROM account WHERE emailKey = ? AND emailVerified AND NOT disabled",
                .text(EmailAddress.key(email))
            ) { $0.integer(0) }
            try db.run(
                "INSERT INTO passwordReset (id, code, account, email, attemptsLeft, expires) VALUES (?, ?, ?, ?, ?, ?)",
                .blob(Array(SHA256.hash(of: id))), account == nil ? .null : .blob(digest),
                .integer(optional: account), .text(email), .integer(Int64(MailedCode.attempts)),
                .seconds(now + PasswordReset.lifetime))
            return account != nil
        }
        return PasswordReset(id: id, email: email, code: hasAccount ? code.text : nil)
    }

    /// Sets the new password, if the code is right, and signs the account out everywhere.
    ///
    /// - Throws: `BAD_REQUEST` for a password that nobody may have, which costs no attempt; `TRY_AGAIN_LATER` when too
    ///   many passwords wait to be hashed.
    package func resetPassword(
        id: String, code: String, password: String, turn: PasswordTurn = .known
    ) async throws -> PasswordReset.Outcome {
        let key = try await secret(for: "password-reset")
        let hash = SQLValue.blob(Array(SHA256.hash(of: id)))
        guard let email = try await pool.read({ try Self.email(ofReset: hash, now: self.now(), $0) }) else {
            return .gone
        }
        try PasswordRules.check(password, email: email)
        let new = try await passwordWork.hash(password, turn)
        let outcome = try await pool.write { [now = now()] db -> PasswordReset.Outcome in
            guard let attemptsLeft = try Self.takeAttempt(hash, now: now, db) else { return .gone }
            let found = try db.first("SELECT code, account FROM passwordReset WHERE id = ?", hash) {
                (code: $0.optionalBlob(0), account: $0.optionalInteger(1))
            }
            guard let stored = found?.code, let account = found?.account,
                MailedCode.isRight(code, stored, id: id, key)
            else { return attemptsLeft > 0 ? .wrong(attemptsLeft: attemptsLeft) : .gone }
            try db.run("DELETE FROM passwordReset WHERE account = ?", .integer(account))
            let changed = try db.run(
                "UPDATE account SET password = ? WHERE id = ? AND NOT disabled", .text(new.text), .integer(account))
            guard changed == 1 else { return .gone }
            try Self.endSessions(account: account, in: db)
            try EndedRegistration.end(account: account, in: db)
            return .done(try UserAccount.require(email: email, in: db))
        }
        return outcome
    }

    private static func email(ofReset id: SQLValue, now: Timestamp, _ db: SQLConnection) throws -> String? {
        try db.first(
            "SELECT email FROM passwordReset WHERE id = ? AND expires > ? AND attemptsLeft > 0", id, .seconds(now)
        ) { $0.text(0) }
    }

    /// - Returns: the attempts that are left after this one; nil when there was none.
    private static func takeAttempt(_ id: SQLValue, now: Timestamp, _ db: SQLConnection) throws -> Int? {
        try db.first(
            """
            UPDATE passwordReset SET attemptsLeft = attemptsLeft - 1
            WHERE id = ? AND expires > ? AND attemptsLeft > 0 RETURNING attemptsLeft
            """, id, .seconds(now)
        ) { Int($0.integer(0)) }
    }
}
