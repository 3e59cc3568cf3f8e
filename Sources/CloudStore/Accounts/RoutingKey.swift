package import CloudModel
import GRDB

/// The first characters of every short GUID of one environment of a container: a link alone tells where to look
/// (reference B §9.10).
enum RoutingKey {
    static let length = 3

    static let table = """
        CREATE TABLE routingKey (
            key TEXT PRIMARY KEY,
            container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
            environment TEXT NOT NULL,
            UNIQUE (container, environment)
        ) WITHOUT ROWID;
        """

    static func random() -> String { ShortGUID.random(characters: length) }
}

extension AccountStore {
    /// The routing key of an environment of a container, made when first asked for and kept.
    package func routingKey(container: Int64, environment: ContainerEnvironment) async throws -> String {
        let find: @Sendable (Database) throws -> String? = { db in
            try String.fetchOne(
                db, sql: "SELECT key FROM routingKey WHERE container = ? AND environment = ?",
                arguments: [container, environment.rawValue])
        }
        if let key = try await pool.read(find) { return key }
        return try await pool.write { db in
            // One of 238,328: a key that is taken is soon followed by one that is not.
            for _ in 0..<1_000 {
                try db.execute(
                    sql: "INSERT INTO routingKey (key, container, environment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    arguments: [RoutingKey.random(), container, environment.rawValue])
                if let key = try find(db) { return key }
            }
            throw ServerError(.internalError, "there is no routing key left")
        }
    }

    /// The routing key of an environment of a container: `wanted` if there is none yet and nobody has that one, so that
    /// the links of what comes from elsewhere stay good.
    func adoptRoutingKey(_ wanted: String, container: Int64, environment: ContainerEnvironment) async throws -> String {
        if ShortGUID.isPart(wanted), wanted.utf8.count == RoutingKey.length {
            try await pool.write { db in
                try db.execute(
                    sql: "INSERT INTO routingKey (key, container, environment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    arguments: [wanted, container, environment.rawValue])
            }
        }
        return try await routingKey(container: container, environment: environment)
    }

    /// Where the short GUIDs that begin like this one belong; nil when that is nowhere.
    package func home(ofShortGUID guid: String) async throws -> (
        container: Container, environment: ContainerEnvironment
    )? {
        try await pool.read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT container.*, routingKey.environment AS keyEnvironment
                    FROM routingKey JOIN container ON container.id = routingKey.container WHERE key = ?
                    """, arguments: [String(guid.prefix(RoutingKey.length))])
            guard let row, let environment = ContainerEnvironment(rawValue: row["keyEnvironment"]) else { return nil }
            return (Container(row: row), environment)
        }
    }
}
