import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// A request for a new password for an address.
package struct PasswordReset: Hashable, Sendable {
    /// The unguessable id with which the browser continues.
    package let id: String
    /// The entered address, checked.
    package let email: String
    /// The code to mail; nil if no account may sign in with the address, which must stay secret.
    package let code: String?

    /// The lifetime of a code.
    package static let lifetime = Duration.seconds(30 * 60)

    /// The result of entering a code.
    package enum Outcome: Hashable, Sendable {
        /// The account has the new password; all its sessions have ended.
        case done(UserAccount)
        case wrong(attemptsLeft: Int)
        /// The code is used up, expired or unknown.
        case gone
    }

    static let table = Layout(
        sqlite: """
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
            """,
        postgres: """
            CREATE TABLE passwordReset (
                id BYTEA PRIMARY KEY,
                code BYTEA,
                account BIGINT REFERENCES account ON DELETE CASCADE,
                email TEXT COLLATE "C" NOT NULL,
                attemptsLeft BIGINT NOT NULL,
                expires DOUBLE PRECISION NOT NULL
            );
            CREATE INDEX passwordResetAccount ON passwordReset(account) WHERE account IS NOT NULL;
            CREATE INDEX passwordResetExpires ON passwordReset(expires);
            """)
}

/// Requests for new passwords.
package struct PasswordResets: Sendable {
    let database: AccountDatabase

    /// Starts a password reset. The result looks the same from outside whether or not the address has an account.
    ///
    /// - Throws: `BAD_REQUEST` for an invalid address.
    package func begin(email: String) async throws -> PasswordReset {
        let email = try EmailAddress.check(email)
        let id = RandomText.hex(bytes: 16)
        let code = MailedCode()
        let digest = code.digest(id: id, try await ServerSecrets(database: database).key(for: "password-reset"))
        let hasAccount = try await database.pool.write { [now = database.now()] db in
            try db.run("DELETE FROM passwordReset WHERE expires < ?", .seconds(now))
            let account = try db.first(
                "SELECT id FROM account WHERE emailKey = ? AND emailVerified = 1 AND disabled = 0",
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

    /// Sets the new password if the code is correct, and ends all sessions of the account.
    ///
    /// - Throws: `BAD_REQUEST` for a refused password, which uses no attempt; `TRY_AGAIN_LATER` if too many passwords wait to
    ///   be hashed.
    package func finish(
        id: String, code: String, password: String, turn: PasswordTurn = .known
    ) async throws -> PasswordReset.Outcome {
        let key = try await ServerSecrets(database: database).key(for: "password-reset")
        let hash = SQLValue.blob(Array(SHA256.hash(of: id)))
        guard let email = try await database.pool.read({ try Self.email(ofReset: hash, now: database.now(), $0) })
        else {
            return .gone
        }
        try PasswordRules.check(password, email: email)
        let new = try await database.passwordWork.hash(password, turn)
        let outcome = try await database.pool.write { [now = database.now()] db -> PasswordReset.Outcome in
            guard let attemptsLeft = try Self.takeAttempt(hash, now: now, db) else { return .gone }
            let found = try db.first("SELECT code, account FROM passwordReset WHERE id = ?", hash) {
                (code: $0.optionalBlob(0), account: $0.optionalInteger(1))
            }
            guard let stored = found?.code, let account = found?.account,
                MailedCode.isRight(code, stored, id: id, key)
            else { return attemptsLeft > 0 ? .wrong(attemptsLeft: attemptsLeft) : .gone }
            try db.run("DELETE FROM passwordReset WHERE account = ?", .integer(account))
            let changed = try db.run(
                "UPDATE account SET password = ? WHERE id = ? AND disabled = 0", .text(new.text), .integer(account))
            guard changed == 1 else { return .gone }
            try UserAccounts.endSessions(account: account, in: db)
            try EndedRegistration.end(account: account, in: db)
            return .done(try UserAccount.require(id: account, in: db))
        }
        return outcome
    }

    private static func email(ofReset id: SQLValue, now: Timestamp, _ db: SQLConnection) throws -> String? {
        try db.first(
            "SELECT email FROM passwordReset WHERE id = ? AND expires > ? AND attemptsLeft > 0", id, .seconds(now)
        ) { $0.text(0) }
    }

    /// - Returns: the remaining attempts; nil if the reset is unknown, expired or used up.
    static func takeAttempt(_ id: SQLValue, now: Timestamp, _ db: SQLConnection) throws -> Int? {
        try db.first(
            """
            UPDATE passwordReset SET attemptsLeft = attemptsLeft - 1
            WHERE id = ? AND expires > ? AND attemptsLeft > 0 RETURNING attemptsLeft
            """, id, .seconds(now)
        ) { Int($0.integer(0)) }
    }
}
