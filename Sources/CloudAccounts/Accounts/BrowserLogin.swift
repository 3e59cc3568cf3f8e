import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// A browser signed in to the server's own pages, for all containers.
package struct BrowserLogin: Sendable {
    package let account: UserAccount
    package let persistent: Bool
    package let expires: Timestamp
    /// The sign-in at a provider, without its identity token; nil for another.
    package let login: ProviderLogin?
    let hash: SHA256Digest
    let lastUsed: Timestamp

    /// - Parameter row: the columns of an account, then ``columns``.
    private init(row: SQLRow, hash: SHA256Digest) {
        account = UserAccount(row: row)
        persistent = row.bool(9)
        expires = row.timestamp(seconds: 10)
        lastUsed = row.timestamp(seconds: 11)
        login = ProviderLogin(row: row, at: 13)
        self.hash = hash
    }

    private static let columns = """
        browserLogin.persistent, browserLogin.expires, browserLogin.lastUsed, browserLogin.hash, \(ProviderLogin.columns)
        """

    /// The login's browser as `Browser/Device`; null for an unknown one and for older logins.
    static let browser = Layout(
        sqlite: "ALTER TABLE browserLogin ADD COLUMN browser TEXT",
        postgres: #"ALTER TABLE browserLogin ADD COLUMN browser TEXT COLLATE "C""#)

    fileprivate static func find(_ token: String, in db: SQLConnection) throws -> BrowserLogin? {
        let hash = SHA256.hash(of: token)
        let found = try db.first(
            """
            SELECT \(UserAccount.columns), \(columns)
            FROM browserLogin JOIN account ON account.id = browserLogin.account AND disabled = 0
            WHERE hash = ?
            """, .blob(Array(hash))
        ) { (login: BrowserLogin(row: $0, hash: hash), hash: $0.blob(12)) }
        guard let found, hash == found.hash else { return nil }
        return found.login
    }
}

/// Browsers signed in to the server's own pages.
package struct BrowserLogins: Sendable {
    let database: AccountDatabase

    /// Signs an account in to the server's own pages.
    ///
    /// - Parameters:
    ///   - browser: the browser's name in the person's list; nil if unknown.
    ///   - login: the sign-in at a provider that the login goes on from; nil for another.
    ///   - allowsUnconfirmed: whether an unconfirmed address suffices, as in development.
    /// - Returns: the cookie's text, which cannot be read again.
    /// - Throws: `ACCESS_DENIED` if the account is disabled or its address unconfirmed.
    package func create(
        account: UserAccount, persistent: Bool, browser: BrowserName? = nil, from login: ProviderLogin? = nil,
        allowsUnconfirmed: Bool = false
    ) async throws -> String {
        let token = RandomText.hex(bytes: 32)
        let now = database.now()
        let expires = now + database.sessionLifetimes.lifetime(persistent: persistent)
        let hint = try await sealedHint(login, for: token)
        try await database.pool.write { db in
            try UserAccount.require(id: account.id, in: db)
                .requireMaySignIn(allowsUnconfirmed: allowsUnconfirmed, in: db)
            try Self.insert(
                Self.New(
                    token: token, account: account.id, persistent: persistent, browser: browser, login: login,
                    hint: hint),
                now: now, expires: expires, in: db)
        }
        return token
    }

    /// A login that begins.
    struct New {
        let token: String
        let account: Int64
        let persistent: Bool
        let browser: BrowserName?
        let login: ProviderLogin?
        /// The identity token of ``login``.
        let hint: SealedSecret?
    }

    static func insert(_ new: New, now: Timestamp, expires: Timestamp, in db: SQLConnection) throws {
        try db.run("DELETE FROM browserLogin WHERE expires < ?", .seconds(now))
        let values: [SQLValue] = [
            .blob(Array(SHA256.hash(of: new.token))), .integer(new.account), .bool(new.persistent), .seconds(now),
            .seconds(expires), .text(optional: new.browser?.text), new.hint.map { .blob($0.bytes) } ?? .null,
        ]
        try db.run(
            """
            INSERT INTO browserLogin
                (hash, account, persistent, lastUsed, expires, browser, identityToken, \(ProviderLogin.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values + ProviderLogin.values(new.login))
    }

    /// The login of a cookie; nil if expired or if the account is disabled. Use extends a login, at most once a minute;
    /// ``AccountStore/writeUses()`` stores the extension.
    package func find(_ token: String) async throws -> BrowserLogin? {
        let now = database.now()
        guard let login = try await database.pool.read({ try BrowserLogin.find(token, in: $0) }) else { return nil }
        let noted = database.uses[.browserLogin, login.hash]
        guard max(login.expires, noted?.expires ?? login.expires) > now else { return nil }
        if now - max(login.lastUsed, noted?.at ?? login.lastUsed) >= .seconds(60) {
            let expires = now + database.sessionLifetimes.lifetime(persistent: login.persistent)
            database.uses.note(NotedUses.Use(at: now, expires: expires), .browserLogin, login.hash)
        }
        return login
    }

    /// Signs the browser out; does nothing for an unknown cookie.
    package func delete(_ token: String) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                "DELETE FROM browserLogin WHERE hash = ?", .blob(Array(SHA256.hash(of: token))))
        }
    }
}
