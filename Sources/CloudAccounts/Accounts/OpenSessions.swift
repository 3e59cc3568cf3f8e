import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// A signed-in app, or a browser signed in to the server's own pages.
package struct OpenSession: Hashable, Sendable {
    /// The id for ``WebSessions/revoke(id:within:)``. It grants no access.
    package let id: String
    package let account: Int64
    /// Nil for an account without an address.
    package let email: String?
    /// The session's container; nil for a browser on the server's own pages.
    package let container: String?
    package let environment: ContainerEnvironment?
    /// The name of the only API token the session works with; nil for any token.
    package let apiToken: String?
    package let lastUsed: Timestamp
    package let expires: Timestamp
    /// Nil for an app, and for an unknown browser.
    package let browser: BrowserName?

    fileprivate init(row: SQLRow) {
        id = row.text(0)
        email = row.optionalText(1)
        container = row.optionalText(2)
        environment = row.optionalText(3).flatMap(ContainerEnvironment.init(rawValue:))
        apiToken = row.optionalText(4)
        lastUsed = row.timestamp(seconds: 5)
        expires = row.timestamp(seconds: 6)
        account = row.integer(7)
        browser = BrowserName(text: row.optionalText(8))
    }

    /// The session id of the browser with this cookie.
    package static func id(ofBrowser cookie: String) -> String {
        let digits = SHA256.hash(of: cookie).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return browserMark + digits.prefix(shownDigits)
    }

    /// The number of hex digits of a browser login's digest in its id, enough to tell logins apart.
    fileprivate static let shownDigits = 12
    fileprivate static let browserMark = "b"

    fileprivate static let browserID = "'\(browserMark)' || lower(substr(hex(browserLogin.hash), 1, \(shownDigits)))"
}

extension WebSessions {
    /// Current sessions: apps first, oldest session first, then browsers.
    ///
    /// - Parameters:
    ///   - email: only sessions of the account with this address or id.
    ///   - container: only sessions of this container, which leaves out browsers.
    ///   - id: only sessions after this session.
    /// - Throws: `NOT_FOUND` for an unknown address or container.
    package func list(
        email: String? = nil, container: String? = nil, after id: String? = nil, limit: Int = .max
    ) async throws -> [OpenSession] {
        let now = database.now()
        // App sessions, whose ids are numbers, sort before browsers.
        let (number, browser) =
            if let id { (Int64(id) ?? .max, Int64(id) == nil ? id : "") } else { (Int64(0), "") }
        return try await database.pool.read { db in
            let account = try email.map { try UserAccount.require(email: $0, in: db).id }
            let container = try container.map { try Container.require(name: $0, in: db).id }
            return try db.all(
                """
                SELECT shownID, email, containerName, environment, tokenName, lastUsed, expires, account, browser FROM (
                SELECT session.id AS number, CAST(session.id AS TEXT) AS shownID, email, container.name AS containerName,
                    session.environment AS environment, apiToken.name AS tokenName, lastUsed, expires,
                    account.id AS account, CAST(NULL AS TEXT) AS browser
                FROM session JOIN account ON account.id = session.account
                JOIN container ON container.id = session.container
                LEFT JOIN apiToken ON apiToken.id = session.apiToken
                WHERE expires > ?1 AND (CAST(?2 AS BIGINT) IS NULL OR session.account = ?2)
                    AND (CAST(?3 AS BIGINT) IS NULL OR session.container = ?3) AND session.id > ?4
                UNION ALL
                SELECT \(Int64.max), \(OpenSession.browserID), email, NULL, NULL, NULL, lastUsed, expires, account.id, browser
                FROM browserLogin JOIN account ON account.id = browserLogin.account
                WHERE expires > ?1 AND (CAST(?2 AS BIGINT) IS NULL OR browserLogin.account = ?2)
                    AND CAST(?3 AS BIGINT) IS NULL AND \(OpenSession.browserID) > ?5
                ) AS sessions ORDER BY number, shownID LIMIT ?6
                """, .seconds(now), .integer(optional: account), .integer(optional: container), .integer(number),
                .text(browser), .integer(Int64(limit)), read: OpenSession.init(row:))
        }
    }

    /// Ends a session; all processes refuse it at once.
    ///
    /// - Parameter id: an id from ``list(email:container:after:limit:)``.
    /// - Throws: `NOT_FOUND` for an unknown id, `ACCESS_DENIED` for the session of an account beyond reach.
    package func revoke(id: String, within reach: AccountReach = .everybody) async throws {
        let (table, condition, value): (String, String, SQLValue) =
            if let number = Int64(id) {
                ("session", "session.id = ?", .integer(number))
            } else {
                ("browserLogin", "\(OpenSession.browserID) = ?", .text(id))
            }
        try await database.pool.write { db in
            let account = try db.first(
                """
                SELECT \(UserAccount.columns) FROM account JOIN \(table) ON account.id = \(table).account
                WHERE \(condition)
                """, value, read: UserAccount.init(row:))
            guard let account else {
                throw ServerError(
                    .notFound, "there is no session '\(Naming.shown(id))'; 'cumulus session list' shows them",
                    .missing(.session))
            }
            try reach.check(account, in: db)
            try db.run("DELETE FROM \(table) WHERE \(condition)", value)
        }
    }

    /// Ends all sessions of an account, in apps and browsers.
    ///
    /// - Returns: the number of ended sessions.
    /// - Throws: `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an account beyond reach.
    package func revokeAll(email: String, within reach: AccountReach = .everybody) async throws -> Int {
        let now = database.now()
        return try await database.pool.write { db in
            let found = try UserAccount.require(email: email, in: db)
            try reach.check(found, in: db)
            let account = found.id
            let open = try db.first(
                """
                SELECT (SELECT count(*) FROM session WHERE account = ?1 AND expires > ?2)
                    + (SELECT count(*) FROM browserLogin WHERE account = ?1 AND expires > ?2)
                """, .integer(account), .seconds(now)
            ) { Int($0.integer(0)) }
            try UserAccounts.endSessions(account: account, in: db)
            return open ?? 0
        }
    }
}

/// Facts about a refused web auth token, for developers of apps.
package struct SessionTrace: Hashable, Sendable {
    package let container: String
    package let environment: ContainerEnvironment
    package let apiToken: Int64?
    package let hasExpired: Bool
    package let isDisabled: Bool
}

extension AccountReader {
    /// The state of a token's session; nil if this server did not make the token, or has deleted its session.
    package func sessionTrace(_ token: String) async throws -> SessionTrace? {
        let (hash, now) = (SHA256.hash(of: token), database.now())
        return try await database.lookups.run { db in
            try db.first(
                """
                SELECT container.name, session.environment, apiToken, expires, disabled
                FROM session JOIN account ON account.id = session.account
                JOIN container ON container.id = session.container WHERE hash = ?
                """, .blob(Array(hash))
            ) { row in
                SessionTrace(
                    container: row.text(0), environment: try ContainerEnvironment.read(row, 1),
                    apiToken: row.optionalInteger(2),
                    hasExpired: row.timestamp(seconds: 3) <= now, isDisabled: row.bool(4))
            }
        }
    }
}
