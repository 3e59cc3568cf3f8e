package import CloudModel
import CloudSQL
import CloudCrypto

/// A management token, with which an operator's programs use the server over HTTP. The server stores a digest of its text.
package struct ManagementToken: Hashable, Sendable {
    package let id: Int64
    /// The work that the token allows.
    package let scopes: Set<ManagementScope>
    /// The name of the container to which the token is restricted; nil for all containers.
    package let container: String?
    package let name: String
    /// The first characters of the token's text, to tell tokens apart.
    package let hint: String
    package let created: Timestamp
    /// Nil if the token never expires.
    package let expires: Timestamp?
    /// The id of the management token that made this token; nil for a person.
    package let maker: Int64?

    static let table = """
        -- Of the tokens' texts only digests are kept. One without container is for all of them.
        CREATE TABLE managementToken (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            hash BLOB NOT NULL UNIQUE,
            hint TEXT NOT NULL,
            container INTEGER REFERENCES container ON DELETE CASCADE,
            name TEXT NOT NULL,
            created REAL NOT NULL,
            expires REAL
        );
        CREATE INDEX managementTokenContainer ON managementToken(container) WHERE container IS NOT NULL;
        """

    /// Tokens older than scopes get every scope of that time.
    static let scopes = """
        ALTER TABLE managementToken ADD COLUMN scopes TEXT NOT NULL
            DEFAULT 'schema records:read records:write people operations'
        """

    /// The prefix of every management token, which tells it from other kinds of token.
    private static let prefix = "cm_"
    private static let select = """
        SELECT managementToken.id, container.name AS containerName, managementToken.name, managementToken.hint,
            managementToken.created, managementToken.expires, managementToken.scopes, managementToken.maker
        FROM managementToken LEFT JOIN container ON container.id = container
        """

    static func newText() -> String { prefix + RandomText.hex(bytes: 32) }

    static func find(_ condition: String, _ values: SQLValue..., in db: SQLConnection) throws -> [ManagementToken] {
        var tokens: [ManagementToken] = []
        try db.each("\(select) WHERE \(condition)", values) {
            tokens.append(ManagementToken(row: $0))
            return true
        }
        return tokens
    }

    /// - Parameter row: a row of ``select``.
    private init(row: SQLRow) {
        id = row.integer(0)
        container = row.optionalText(1)
        name = row.text(2)
        hint = row.text(3)
        created = row.timestamp(seconds: 4)
        expires = row.optionalTimestamp(seconds: 5)
        scopes = Set(row.text(6).split(separator: " ").compactMap { ManagementScope(rawValue: String($0)) })
        maker = row.optionalText(7).flatMap { $0.hasPrefix("t") ? Int64($0.dropFirst()) : nil }
    }
}

/// The management tokens of a server.
package struct ManagementTokens: Sendable {
    let database: AccountDatabase

    /// Creates a management token and returns its text; the text cannot be read again.
    ///
    /// - Parameters:
    ///   - container: restricts the token to one container; nil for all containers.
    ///   - scopes: the work that the token allows.
    ///   - lifetime: nil if the token never expires.
    ///   - limit: the latest expiry; nil for no limit.
    ///   - maker: the management token or operator that makes the token; nil for a command on the server.
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func create(
        container: String?, name: String, scopes: Set<ManagementScope> = Set(ManagementScope.allCases),
        lifetime: Duration? = nil, endingBy limit: Timestamp? = nil, maker: CredentialMaker? = nil
    ) async throws -> (text: String, token: ManagementToken) {
        let text = ManagementToken.newText()
        let now = database.now()
        let token = try await database.pool.write { db in
            let container = try container.map { try Container.require(name: $0, in: db) }
            try MadeCredentials.forgetMakers(now: now, in: db)
            let expires = [lifetime.map { now + $0 }, limit].compactMap(\.self).min()
            let id = try db.insert(
                """
                INSERT INTO managementToken (hash, hint, container, name, created, expires, scopes, maker)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
                """, .blob(Array(SHA256.hash(of: text))), .text(String(text.prefix(11))),
                .integer(optional: container?.id), .text(name), .seconds(now),
                .seconds(optional: expires), .text(ManagementScope.text(scopes)), .text(optional: maker?.text))
            return try ManagementToken.find("managementToken.id = ?", .integer(id), in: db).first
        }
        guard let token else {
            throw ServerError(.internalError, "the management token was not stored", .server(.fault))
        }
        return (text, token)
    }

    /// The management token with this text; nil if expired or revoked.
    package func find(_ text: String) async throws -> ManagementToken? {
        let (hash, now) = (Array(SHA256.hash(of: text)), database.now())
        return try await database.pool.read { db in
            try ManagementToken.find(
                "hash = ? AND isRevoked = 0 AND (expires IS NULL OR expires > ?)", .blob(hash), .seconds(now), in: db
            ).first
        }
    }

    /// Management tokens that are neither expired nor revoked, oldest first.
    package func list() async throws -> [ManagementToken] {
        let now = database.now()
        return try await database.pool.read { db in
            try ManagementToken.find(
                "isRevoked = 0 AND (expires IS NULL OR expires > ?) ORDER BY managementToken.id", .seconds(now), in: db)
        }
    }

    /// Revokes a management token. Its row stays, absent from lists, while credentials made by the token are valid, so that a
    /// second revocation can end those.
    ///
    /// - Throws: `NOT_FOUND` for a token without a row.
    package func revoke(id: Int64) async throws {
        let now = database.now()
        try await database.pool.write { db in
            try MadeCredentials.forgetMakers(now: now, in: db)
            guard try db.run("UPDATE managementToken SET isRevoked = 1 WHERE id = ?", .integer(id)) > 0 else {
                throw ServerError(
                    .notFound, "there is no management token \(id); 'cumulus management-token list' shows them",
                    .missing(.token))
            }
            try MadeCredentials.forgetMakers(now: now, in: db)
        }
    }
}
