import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto

/// An operator's browser session at the console. It begins with a password, a passkey or a sign-in at a
/// provider; the second factor completes it.
package struct ConsoleLogin: Sendable {
    package let `operator`: ServerOperator
    /// Whether the second factor has been accepted.
    package let isComplete: Bool
    /// The secret for an operator's first authenticator app; nil after setup.
    package let offered: OneTimeCode?
    let lastUsed: Timestamp
    /// The passkey that began it; nil for none.
    let passkey: [UInt8]?
    /// The sign-in at a provider that began it; nil for none.
    let login: ProviderLogin?

    /// The time limit for entering a code.
    static let timeForCode = Duration.seconds(600)
    /// The time without use after which a login expires.
    package static let idleTime = Duration.seconds(30 * 60)
    /// The time after which a login expires despite use.
    package static let longestTime = Duration.seconds(12 * 3600)

    /// - Parameter lastUsed: a use noted in memory, later than the database's.
    fileprivate static func find(
        _ token: String, now: Timestamp, lastUsed: Timestamp? = nil, in db: SQLConnection
    ) throws -> ConsoleLogin? {
        let idleSince = now - idleTime
        let isUsed = lastUsed.map { $0 > idleSince } ?? false
        return try db.first(
            """
            SELECT \(UserAccount.columns), \(ServerOperator.columns), consoleLogin.isComplete, consoleLogin.secret,
                consoleLogin.lastUsed, consoleLogin.passkey, \(ProviderLogin.columns)
            FROM consoleLogin JOIN consoleOperator ON consoleOperator.account = consoleLogin.account
                JOIN account ON account.id = consoleLogin.account AND disabled = 0
            WHERE hash = ? AND expires > ? AND (? = 1 OR lastUsed > ?)
            """, .blob(Array(SHA256.hash(of: token))), .seconds(now), .bool(isUsed), .seconds(idleSince)
        ) { row in
            ConsoleLogin(
                operator: ServerOperator(row: row), isComplete: row.bool(12),
                offered: row.isNull(13) ? nil : OneTimeCode(secret: row.blob(13)), lastUsed: row.timestamp(seconds: 14),
                passkey: row.optionalBlob(15), login: ProviderLogin(row: row, at: 16))
        }
    }

    fileprivate static func insert(
        account: Int64, isComplete: Bool, offered: OneTimeCode?, passkey: [UInt8]? = nil,
        from login: ProviderLogin? = nil,
        now: Timestamp, in db: SQLConnection
    ) throws -> String {
        let token = RandomText.hex(bytes: 32)
        try db.run("DELETE FROM consoleLogin WHERE expires < ?", .seconds(now))
        let values: [SQLValue] = [
            .blob(Array(SHA256.hash(of: token))), .integer(account), .bool(isComplete),
            offered.map { .blob($0.secret) } ?? .null, .seconds(now),
            .seconds(now + (isComplete ? longestTime : timeForCode)), passkey.map { .blob($0) } ?? .null,
        ]
        try db.run(
            """
            INSERT INTO consoleLogin
                (hash, account, isComplete, secret, lastUsed, expires, passkey, \(ProviderLogin.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values + ProviderLogin.values(login))
        return token
    }

    fileprivate static func delete(_ token: String, in db: SQLConnection) throws {
        try db.run("DELETE FROM consoleLogin WHERE hash = ?", .blob(Array(SHA256.hash(of: token))))
    }
}

/// Operators' browser sessions at the console.
package struct ConsoleLogins: Sendable {
    let database: AccountDatabase

    /// Starts an operator's sign-in, after the password or a sign-in at a provider.
    ///
    /// - Parameter login: the sign-in at a provider; nil for a password.
    /// - Returns: the cookie's text; nil for a non-operator.
    package func begin(account: UserAccount, from login: ProviderLogin? = nil) async throws -> String? {
        let now = database.now()
        return try await database.pool.write { db in
            guard let found = try Self.find(account.id, in: db) else { return nil }
            return try ConsoleLogin.insert(
                account: account.id, isComplete: false, offered: found.hasSecondFactor ? nil : .make(), from: login,
                now: now, in: db)
        }
    }

    /// Starts an operator's sign-in with a passkey whose answer was checked, and completes it if a code was entered beside
    /// the passkey before.
    ///
    /// - Returns: the cookie's text, and whether the sign-in is complete; nil for a non-operator.
    package func begin(
        account: UserAccount, passkey: [UInt8]
    ) async throws -> (token: String, isComplete: Bool)? {
        let now = database.now()
        return try await database.pool.write { db in
            guard let found = try Self.find(account.id, in: db) else { return nil }
            let isComplete =
                try found.hasSecondFactor && ConsolePasskeyTable.includes(passkey, of: account.id, in: db)
            let token = try ConsoleLogin.insert(
                account: account.id, isComplete: isComplete, offered: found.hasSecondFactor ? nil : .make(),
                passkey: passkey, now: now, in: db)
            return (token, isComplete)
        }
    }

    private static func find(_ account: Int64, in db: SQLConnection) throws -> ServerOperator? {
        try db.first(
            "\(ServerOperator.select) WHERE account.id = ? AND disabled = 0", .integer(account),
            read: ServerOperator.init(row:))
    }

    /// The login of a cookie; nil if expired. Its use is noted once a minute; ``AccountStore/writeUses()`` stores the note.
    ///
    /// - Parameter isUse: false for a page's automatic request, which does not extend the login.
    package func find(_ token: String, isUse: Bool = true) async throws -> ConsoleLogin? {
        let now = database.now()
        let hash = SHA256.hash(of: token)
        let noted = database.uses[.consoleLogin, hash]?.at
        let found = try await database.pool.read { try ConsoleLogin.find(token, now: now, lastUsed: noted, in: $0) }
        if isUse, let found, found.isComplete, now - max(found.lastUsed, noted ?? found.lastUsed) >= .seconds(60) {
            database.uses.note(NotedUses.Use(at: now, expires: now + ConsoleLogin.idleTime), .consoleLogin, hash)
        }
        return found
    }

    package func end(_ token: String) async throws {
        try await database.pool.write { try ConsoleLogin.delete(token, in: $0) }
    }

    /// Completes an operator's sign-in with a code of the authenticator app or a recovery code. A code works once.
    ///
    /// - Parameter enrolment: the operator's code for setting up the app.
    /// - Returns: the text of a new cookie, and recovery codes if the app has just been set up; nil for a wrong code.
    package func complete(
        _ token: String, code: String, enrolment: String = ""
    ) async throws -> (token: String, recoveryCodes: [String])? {
        let now = database.now()
        return try await database.pool.write { db in
            guard let login = try ConsoleLogin.find(token, now: now, in: db), !login.isComplete else { return nil }
            let account = login.operator.account.id
            let codes: [String]
            if let offered = login.offered {
                let isEnrolled = try SecondFactor.enrol(
                    offered, code: code, enrolment: enrolment, account: account, now: now, in: db)
                guard isEnrolled else { return nil }
                codes = try SecondFactor.makeRecoveryCodes(account: account, in: db)
            } else {
                guard try SecondFactor.accepts(code, account: account, now: now, in: db) else { return nil }
                codes = []
            }
            try ConsoleLogin.delete(token, in: db)
            if let passkey = login.passkey { try ConsolePasskeyTable.add(passkey, of: account, in: db) }
            let complete = try ConsoleLogin.insert(
                account: account, isComplete: true, offered: nil, passkey: login.passkey, from: login.login, now: now,
                in: db)
            return (complete, codes)
        }
    }
}
