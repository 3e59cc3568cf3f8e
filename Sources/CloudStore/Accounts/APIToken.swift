package import CloudModel
import Crypto
package import Foundation
import GRDB

/// What is known of an API token (reference B §3.1). Its text is known to its holder alone.
package struct APIToken: Hashable, Sendable {
    package let id: Int64
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let name: String
    /// The first 8 of its 64 characters, to tell tokens apart.
    package let hint: String
    /// Origins of pages that may use it; empty for any.
    package let allowedOrigins: [String]
    /// Where the browser goes after sign-in; nil when the page is told by `postMessage`.
    package let signInCallback: String?
    package let created: Date

    init(row: Row) throws {
        id = row["id"]
        container = row["container"]
        containerName = row["containerName"]
        environment = try ContainerEnvironment.read(row)
        name = row["name"]
        hint = row["hint"]
        allowedOrigins = (row["allowedOrigins"] as String).split(separator: "\n").map(String.init)
        signInCallback = row["signInCallback"]
        created = Date(timeIntervalSince1970: row["created"])
    }

    static let select = """
        SELECT apiToken.*, container.name AS containerName FROM apiToken JOIN container ON container.id = container
        """

    static func find(hash: SHA256Digest, in db: Database) throws -> APIToken? {
        let sql = select + " WHERE hash = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [Data(hash)]), hash == (row["hash"] as Data) else {
            return nil
        }
        return try APIToken(row: row)
    }
}

extension AccountStore {
    /// Makes a token of 64 hex digits and gives its text, for the only time.
    ///
    /// - Throws: `NOT_FOUND` for an unknown container, `BAD_REQUEST` for an origin or callback that is none.
    package func createAPIToken(
        container: String, environment: ContainerEnvironment, name: String, allowedOrigins: [String] = [],
        signInCallback: String? = nil
    ) async throws -> (text: String, token: APIToken) {
        let origins = try allowedOrigins.map { try WebOrigin(checking: $0).text }
        if let signInCallback { try WebOrigin.check(callback: signInCallback) }
        let text = RandomText.hex(bytes: 32)
        let hash = SHA256.hash(data: Data(text.utf8))
        let token = try await pool.write { [created = clock()] db in
            let container = try Container.require(name: container, in: db)
            try db.execute(
                sql: """
                    INSERT INTO apiToken
                        (hash, hint, container, environment, name, allowedOrigins, signInCallback, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(hash), String(text.prefix(8)), container.id, environment.rawValue, name,
                    origins.joined(separator: "\n"), signInCallback, created.timeIntervalSince1970,
                ])
            return try APIToken.find(hash: hash, in: db)
        }
        guard let token else { throw ServerError(.internalError, "the API token was not stored") }
        return (text, token)
    }

    /// The tokens of one container, or of all; by container, then age.
    package func apiTokens(container: String? = nil) async throws -> [APIToken] {
        try await pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql = APIToken.select + " WHERE ? IS NULL OR containerName = ? ORDER BY containerName, apiToken.id"
            return try Row.fetchAll(db, sql: sql, arguments: [container, container]).map(APIToken.init(row:))
        }
    }

    /// The token with this row id; nil when it has been revoked.
    package func apiToken(id: Int64) async throws -> APIToken? {
        try await pool.read { db in
            try Row.fetchOne(db, sql: APIToken.select + " WHERE apiToken.id = ?", arguments: [id])
                .map(APIToken.init(row:))
        }
    }

    /// Deletes a token and the sessions begun with it.
    package func revokeAPIToken(id: Int64) async throws {
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM apiToken WHERE id = ?", arguments: [id])
            guard db.changesCount > 0 else {
                throw ServerError(.notFound, "there is no API token \(id); 'cumulus token list' shows them")
            }
        }
    }
}

extension ContainerEnvironment {
    static func read(_ row: Row) throws -> ContainerEnvironment {
        guard let environment = ContainerEnvironment(rawValue: row["environment"]) else {
            throw ServerError(.internalError, "the accounts file names an environment that does not exist")
        }
        return environment
    }
}
