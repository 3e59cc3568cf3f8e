import CloudEngine
package import CloudModel
import CloudSQL

/// The first characters of all short GUIDs of an environment, so that a link leads to its environment (reference B §9.10).
enum RoutingKey {
    static let length = 3

    static let table = Layout(
        sqlite: """
            CREATE TABLE routingKey (
                key TEXT PRIMARY KEY,
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                UNIQUE (container, environment)
            ) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE routingKey (
                key TEXT COLLATE "C" PRIMARY KEY,
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                UNIQUE (container, environment)
            );
            """)

    static func random() -> String { ShortGUID.random(characters: length) }
}

extension ContainerEnvironments {
    /// The routing key of an environment, created at the first call.
    package func routingKey(container: Int64, environment: ContainerEnvironment) async throws -> String {
        let find: @Sendable (SQLConnection) throws -> String? = { db in
            try db.first(
                "SELECT key FROM routingKey WHERE container = ? AND environment = ?", .integer(container),
                .text(environment.rawValue)
            ) { $0.text(0) }
        }
        if let key = try await database.pool.read(find) { return key }
        return try await database.pool.write { db in
            // There are 238,328 keys, so a retry soon finds a free key.
            for _ in 0..<1_000 {
                try db.run(
                    "INSERT INTO routingKey (key, container, environment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    .text(RoutingKey.random()), .integer(container), .text(environment.rawValue))
                if let key = try find(db) { return key }
            }
            throw ServerError(.internalError, "there is no routing key left", .server(.fault))
        }
    }

    /// The routing key of an environment: `wanted` if the environment has no key and `wanted` is free, so that links of
    /// imported shares stay valid.
    package func adoptRoutingKey(_ wanted: String, container: Int64, environment: ContainerEnvironment) async throws
        -> String
    {
        if ShortGUID.isPart(wanted), wanted.utf8.count == RoutingKey.length {
            try await database.pool.write { db in
                _ = try db.run(
                    "INSERT INTO routingKey (key, container, environment) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    .text(wanted), .integer(container), .text(environment.rawValue))
            }
        }
        return try await routingKey(container: container, environment: environment)
    }

    /// The container and environment of this short GUID's routing key; nil if unknown.
    package func home(ofShortGUID guid: String) async throws -> (
        container: Container, environment: ContainerEnvironment
    )? {
        try await database.pool.read { db in
            let home = try db.first(
                """
                SELECT \(Container.columns), routingKey.environment
                FROM routingKey JOIN container ON container.id = routingKey.container WHERE key = ?
                """, .text(String(guid.prefix(RoutingKey.length)))
            ) { (container: Container(row: $0), environment: ContainerEnvironment(rawValue: $0.text(7))) }
            guard let home, let environment = home.environment else { return nil }
            return (home.container, environment)
        }
    }
}
