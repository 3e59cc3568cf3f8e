import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// A user's session in one environment of a container (reference B §3.2).
package struct WebSession: Sendable {
    package let id: Int64
    package let account: Int64
    package let container: Int64
    package let environment: ContainerEnvironment
    /// The only API token the session works with; nil for any token of the environment.
    package let apiToken: Int64?
    package let userRecordName: String
    let persistent: Bool
    let hash: SHA256Digest
    var lastUsed: Timestamp
    package internal(set) var expires: Timestamp

    /// - Parameter row: the values of ``columns``.
    init(row: SQLRow, hash: SHA256Digest) throws {
        id = row.integer(0)
        account = row.integer(1)
        container = row.integer(2)
        environment = try ContainerEnvironment.read(row, 3)
        apiToken = row.optionalInteger(4)
        userRecordName = row.text(5)
        persistent = row.bool(6)
        self.hash = hash
        lastUsed = row.timestamp(seconds: 7)
        expires = row.timestamp(seconds: 8)
    }

    private static let columns = """
        session.id, session.account, session.container, session.environment, session.apiToken, userRecord.recordName,
        session.persistent, session.lastUsed, session.expires, session.hash
        """

    static func find(hash: SHA256Digest, in db: SQLConnection) throws -> WebSession? {
        let found = try db.first(
            """
            SELECT \(columns) FROM session
            JOIN account ON account.id = session.account AND disabled = 0
            JOIN userRecord ON userRecord.account = session.account AND userRecord.container = session.container
            WHERE hash = ?
            """, .blob(Array(hash))
        ) { (session: try WebSession(row: $0, hash: hash), hash: $0.blob(9)) }
        guard let found, hash == found.hash else { return nil }
        return found.session
    }
}

/// Where a session is good.
package struct SessionPlace: Hashable, Sendable {
    package let container: Int64
    package let environment: ContainerEnvironment
    /// The only API token the session works with; nil for any token of the environment.
    package let apiToken: Int64?
    /// Whether the session outlives the app's or browser's run.
    package let persistent: Bool

    package init(container: Int64, environment: ContainerEnvironment, apiToken: Int64?, persistent: Bool) {
        self.container = container
        self.environment = environment
        self.apiToken = apiToken
        self.persistent = persistent
    }
}

/// The sessions of apps, and lists of all sessions.
package struct WebSessions: Sendable {
    let database: AccountDatabase

    /// The shortest time between two extensions of a session on disk.
    private static let slideInterval = Duration.seconds(60)

    /// How long expired sessions are kept, so that development can tell expired tokens from unknown ones.
    private static let expiredSessionAge = Duration.seconds(86400)

    /// Signs an account in.
    ///
    /// The token is `1__1__` and base64 (reference B §3.2), without characters that break cookies or query strings once
    /// percent-encoded. The token cannot be read again.
    /// - Parameters:
    ///   - email: the account's address or id.
    ///   - ticket: the ticket of the sign-in link, which is redeemed.
    ///   - reach: accounts that the caller may sign in.
    ///   - login: the sign-in at a provider that the session goes back to; nil for another.
    ///   - maker: the management token or operator that signs the account in; nil for the account's own person.
    ///   - allowsUnconfirmed: whether an unconfirmed address suffices, as in development.
    /// - Throws: `ACCESS_DENIED` if the account is disabled or beyond reach, or its address unconfirmed; `EXISTS` if the
    ///   ticket has been redeemed.
    package func create(
        email: String, container: Container, environment: ContainerEnvironment, apiToken: Int64? = nil,
        persistent: Bool = false, redeeming ticket: SignInTicket? = nil, within reach: AccountReach = .everybody,
        maker: CredentialMaker? = nil, from login: ProviderLogin? = nil, allowsUnconfirmed: Bool = false
    ) async throws -> (token: String, userRecordName: String, expires: Timestamp) {
        let token = Self.makeToken()
        let now = database.now()
        let expires = now + database.sessionLifetimes.lifetime(persistent: persistent)
        let name = try await database.pool.write { db in
            let account = try UserAccount.require(email: email, in: db)
            try reach.check(account, in: db)
            try account.requireMaySignIn(allowsUnconfirmed: allowsUnconfirmed, in: db)
            try ticket?.redeem(now: now, in: db)
            let place = SessionPlace(
                container: container.id, environment: environment, apiToken: apiToken, persistent: persistent)
            return try Self.insert(
                token, account: account.id, place, now: now, expires: expires, maker: maker, from: login, in: db)
        }
        return (token, name, expires)
    }

    static func makeToken() -> String { "1__1__" + RandomText.base64(bytes: 48) }

    /// Stores a session, and forgets those that expired a day ago.
    ///
    /// - Returns: the user record name of the account in the container.
    static func insert(
        _ token: String, account: Int64, _ place: SessionPlace, now: Timestamp, expires: Timestamp,
        maker: CredentialMaker? = nil, from login: ProviderLogin?, in db: SQLConnection
    ) throws -> String {
        try db.run("DELETE FROM session WHERE expires < ?", .seconds(now - expiredSessionAge))
        let name = try ContainerUsers.recordName(account: account, container: place.container, in: db)
        let values: [SQLValue] = [
            .blob(Array(SHA256.hash(of: token))), .integer(account), .integer(place.container),
            .text(place.environment.rawValue), .integer(optional: place.apiToken), .bool(place.persistent),
            .seconds(now), .seconds(now), .seconds(expires), .text(optional: maker?.text),
        ]
        try db.run(
            """
            INSERT INTO session
                (hash, account, container, environment, apiToken, persistent, created, lastUsed, expires, maker,
                \(ProviderLogin.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, values + ProviderLogin.values(login))
        return name
    }

    /// Extends a session in use, at most once a minute (reference B §3.4). ``AccountStore/writeUses()`` stores the extension.
    ///
    /// - Returns: the time of the next extension; the present time while another request extends the session.
    @discardableResult
    package func slide(_ session: WebSession) -> Timestamp {
        let now = database.now()
        let lifetime = database.sessionLifetimes.lifetime(persistent: session.persistent)
        let interval = min(Self.slideInterval, lifetime / 4)
        guard now - session.lastUsed >= interval else { return session.lastUsed + interval }
        let expires = now + lifetime
        guard database.cache.slide(session, now: now, expires: expires) else { return now }
        database.uses.note(NotedUses.Use(at: now, expires: expires), .session, session.hash)
        return now + interval
    }
}
