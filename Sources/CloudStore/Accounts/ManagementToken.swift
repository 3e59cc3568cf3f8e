package import CloudModel
import Crypto
package import Foundation
import GRDB

/// What is known of a management token: it lets an operator's programs change schemas and roles over HTTP. Its text is
/// known to its holder alone.
package struct ManagementToken: Hashable, Sendable {
    package let id: Int64
    /// The name of the only container it is for; nil for all.
    package let container: String?
    package let name: String
    /// The first characters of its text, to tell tokens apart.
    package let hint: String
    package let created: Date
    /// Nil for one that does not end by itself.
    package let expires: Date?

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

    /// What every text begins with, so that nobody takes one for another kind of token.
    private static let prefix = "cm_"
    private static let select = """
        SELECT managementToken.*, container.name AS containerName
        FROM managementToken LEFT JOIN container ON container.id = container
        """

    static func newText() -> String { prefix + RandomText.hex(bytes: 32) }

    static func find(_ condition: String, _ arguments: StatementArguments, in db: Database) throws -> [ManagementToken]
    {
        try Row.fetchAll(db, sql: "\(select) WHERE \(condition)", arguments: arguments).map(ManagementToken.init(row:))
    }

    private init(row: Row) {
        id = row["id"]
        container = row["containerName"]
        name = row["name"]
        hint = row["hint"]
        created = Date(timeIntervalSince1970: row["created"])
        expires = (row["expires"] as Double?).map(Date.init(timeIntervalSince1970:))
    }
}

extension AccountStore {
    /// Makes a management token and gives its text, for the only time.
    ///
    /// - Parameters:
    ///   - container: the only one it is for; nil for all.
    ///   - lifetime: seconds; nil for one that does not end by itself.
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func createManagementToken(
        container: String?, name: String, lifetime: Double? = nil
    ) async throws -> (text: String, token: ManagementToken) {
        let text = ManagementToken.newText()
        let now = clock().timeIntervalSince1970
        let token = try await pool.write { db in
            let container = try container.map { try Container.require(name: $0, in: db) }
            try db.execute(sql: "DELETE FROM managementToken WHERE expires <= ?", arguments: [now])
            try db.execute(
                sql: """
                    INSERT INTO managementToken (hash, hint, container, name, created, expires)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(SHA256.hash(data: Data(text.utf8))), String(text.prefix(11)), container?.id, name, now,
                    lifetime.map { now + $0 },
                ])
            return try ManagementToken.find("managementToken.id = ?", [db.lastInsertedRowID], in: db).first
        }
        guard let token else { throw ServerError(.internalError, "the management token was not stored") }
        return (text, token)
    }

    /// The management token whose text this is, unless it has expired.
    package func managementToken(_ text: String) async throws -> ManagementToken? {
        let (hash, now) = (Data(SHA256.hash(data: Data(text.utf8))), clock().timeIntervalSince1970)
        return try await pool.read { db in
            try ManagementToken.find("hash = ? AND (expires IS NULL OR expires > ?)", [hash, now], in: db).first
        }
    }

    /// All that have not expired, oldest first.
    package func managementTokens() async throws -> [ManagementToken] {
        let now = clock().timeIntervalSince1970
        return try await pool.read { db in
            try ManagementToken.find(
                "expires IS NULL OR expires > ? ORDER BY managementToken.id", [now], in: db)
        }
    }

    /// Refuses a management token from now on.
    package func revokeManagementToken(id: Int64) async throws {
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM managementToken WHERE id = ?", arguments: [id])
            guard db.changesCount > 0 else {
                throw ServerError(
                    .notFound, "there is no management token \(id); 'cumulus management-token list' shows them")
            }
        }
    }
}
