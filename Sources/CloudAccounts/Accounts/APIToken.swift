import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// An API token (reference B §3.1). The server stores a digest of its text.
package struct APIToken: Hashable, Sendable {
    package let id: Int64
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let name: String
    /// The first 8 of its 64 characters, to tell tokens apart.
    package let hint: String
    /// Origins of pages that may use the token; empty for any origin.
    package let allowedOrigins: [String]
    /// The URL to which the browser goes after sign-in; nil if the page is told through `postMessage`.
    package let signInCallback: String?
    /// Client ids and bundle ids of the app, whose identity tokens are exchanged for web auth tokens; empty for none.
    package let audiences: [String]
    package let created: Timestamp

    /// - Parameter row: a row of ``select``.
    init(row: SQLRow) throws {
        id = row.integer(0)
        container = row.integer(1)
        containerName = row.text(2)
        environment = try ContainerEnvironment.read(row, 3)
        name = row.text(4)
        hint = row.text(5)
        allowedOrigins = row.text(6).split(separator: "\n").map(String.init)
        signInCallback = row.optionalText(7)
        created = row.timestamp(seconds: 8)
        audiences = row.text(10).split(separator: "\n").map(String.init)
    }

    static let select = """
        SELECT apiToken.id, apiToken.container, container.name AS containerName, apiToken.environment, apiToken.name,
            apiToken.hint, apiToken.allowedOrigins, apiToken.signInCallback, apiToken.created, apiToken.hash,
            apiToken.audiences
        FROM apiToken JOIN container ON container.id = container
        """

    static func find(hash: SHA256Digest, in db: SQLConnection) throws -> APIToken? {
        let found = try db.first(select + " WHERE hash = ?", .blob(Array(hash))) { row in
            (token: try APIToken(row: row), hash: row.blob(9))
        }
        guard let found, hash == found.hash else { return nil }
        return found.token
    }
}

/// The API tokens of all containers.
package struct APITokens: Sendable {
    let database: AccountDatabase

    /// Creates a token of 64 hex digits and returns its text; the text cannot be read again.
    ///
    /// - Throws: `NOT_FOUND` for an unknown container, `BAD_REQUEST` for an invalid origin, callback or audience.
    package func create(
        container: String, environment: ContainerEnvironment, name: String, allowedOrigins: [String] = [],
        signInCallback: String? = nil, audiences: [String] = [], maker: CredentialMaker? = nil
    ) async throws -> (text: String, token: APIToken) {
        let origins = try allowedOrigins.map { try WebOrigin(checking: $0).text }
        if let signInCallback { try CallbackRules.check(signInCallback, for: environment) }
        let audiences = try SignInProvider.checked(audiences: audiences, in: "audiences")
        let text = RandomText.hex(bytes: 32)
        let hash = SHA256.hash(of: text)
        let token = try await database.pool.write { [created = database.now()] db in
            let container = try Container.require(name: container, in: db)
            try db.run(
                """
                INSERT INTO apiToken
                    (hash, hint, container, environment, name, allowedOrigins, signInCallback, audiences, created,
                    maker)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .blob(Array(hash)), .text(String(text.prefix(8))), .integer(container.id),
                .text(environment.rawValue), .text(name), .text(origins.joined(separator: "\n")),
                .text(optional: signInCallback), .text(audiences.joined(separator: "\n")), .seconds(created),
                .text(optional: maker?.text))
            return try APIToken.find(hash: hash, in: db)
        }
        guard let token else { throw ServerError(.internalError, "the API token was not stored", .server(.fault)) }
        return (text, token)
    }

    /// API tokens of one container, or of all containers if `container` is nil; sorted by container name, then age.
    package func list(container: String? = nil) async throws -> [APIToken] {
        try await database.pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql =
                APIToken.select
                + " WHERE CAST(? AS TEXT) IS NULL OR container.name = ? ORDER BY container.name, apiToken.id"
            return try db.all(
                sql, .text(optional: container), .text(optional: container), read: APIToken.init(row:))
        }
    }

    /// The token with this row id; nil if revoked.
    package func find(id: Int64) async throws -> APIToken? {
        try await database.pool.read { db in
            try db.first(APIToken.select + " WHERE apiToken.id = ?", .integer(id), read: APIToken.init(row:))
        }
    }

    /// Deletes a token with its sessions.
    package func revoke(id: Int64) async throws {
        try await database.pool.write { db in
            guard try db.run("DELETE FROM apiToken WHERE id = ?", .integer(id)) > 0 else {
                throw ServerError(
                    .notFound, "there is no API token \(id); 'cumulus token list' shows them", .missing(.token))
            }
        }
    }
}

extension ContainerEnvironment {
    static func read(_ row: SQLRow, _ column: Int) throws -> ContainerEnvironment {
        guard let environment = ContainerEnvironment(rawValue: row.text(column)) else {
            throw ServerError(
                .internalError, "the accounts file names an environment that does not exist", .server(.fault))
        }
        return environment
    }
}
