package import CloudEngine
package import CloudModel
import CloudSQL

/// Environments that have had a database. If such an environment's database is missing, it was lost, and no new database may
/// replace it: clients that follow its changes would drop their data.
enum MadeEnvironments {
    static let table = Layout(
        sqlite: """
            CREATE TABLE madeEnvironment (
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                PRIMARY KEY (container, environment)
            ) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE madeEnvironment (
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                PRIMARY KEY (container, environment)
            );
            """)

    /// Enters the environments that existed before the table.
    static func adopt(_ db: SQLConnection, in folder: DataFolder) throws {
        let places = try db.all("SELECT container, environment FROM routingKey") {
            (container: $0.integer(0), environment: $0.text(1))
        }
        for place in places {
            guard let environment = ContainerEnvironment(rawValue: place.environment) else { continue }
            let path = folder.recordsFile(container: place.container, environment: environment)
            guard let database = try folder.engine.locations.facts(of: path), !database.isEmpty else { continue }
            try add(container: place.container, environment, db)
        }
    }

    static func add(container: Int64, _ environment: ContainerEnvironment, _ db: SQLConnection) throws {
        try db.run(
            "INSERT INTO madeEnvironment (container, environment) VALUES (?, ?) ON CONFLICT DO NOTHING",
            .integer(container), .text(environment.rawValue))
    }
}

/// The environments of containers that have a database, and their routing keys.
package struct ContainerEnvironments: Sendable {
    let database: AccountDatabase

    /// Returns true if the environment has had a database; nil if its container has been deleted.
    package func isMade(container: Int64, environment: ContainerEnvironment) async throws -> Bool? {
        try await database.pool.read { db in
            try db.first(
                """
                SELECT EXISTS (SELECT 1 FROM madeEnvironment WHERE container = container.id AND environment = ?)
                FROM container WHERE id = ?
                """, .text(environment.rawValue), .integer(container)
            ) { $0.bool(0) }
        }
    }

    /// Notes that an environment has a database.
    package func noteMade(container: Int64, environment: ContainerEnvironment) async throws {
        try await database.pool.write { try MadeEnvironments.add(container: container, environment, $0) }
    }

    /// Environments that have had a database, with their containers.
    package func made() async throws -> [(container: Container, environment: ContainerEnvironment)] {
        try await database.pool.read { db in
            try db.all(
                """
                SELECT \(Container.columns), madeEnvironment.environment AS made
                FROM madeEnvironment JOIN container ON container.id = madeEnvironment.container
                ORDER BY container.name, made
                """
            ) { row in
                ContainerEnvironment(rawValue: row.text(7)).map { (container: Container(row: row), environment: $0) }
            }.compactMap(\.self)
        }
    }

    /// Accepts the loss of an environment's data; the environment starts empty at its next use.
    ///
    /// - Throws: `CONFLICT` if the environment has a database, `NOT_FOUND` if it never had a database.
    package func forgetData(
        of container: Container, _ environment: ContainerEnvironment, in folder: DataFolder
    ) async throws {
        guard try await isMade(container: container.id, environment: environment) == true else {
            throw ServerError(
                .notFound, "\(known: environment.rawValue) of \(known: container.name) has never had data",
                .place(.environment))
        }
        let path = folder.recordsFile(container: container.id, environment: environment)
        if let database = try folder.engine.locations.facts(of: path), !database.isEmpty {
            throw ServerError(
                .conflict,
                "\(known: environment.rawValue) of \(known: container.name) has its database, \(known: folder.engine.locations.name(of: path)); nothing is lost",
                .taken(.container))
        }
        // A leftover log must not become part of the next database.
        try folder.engine.locations.remove(path)
        try await PushTokens(database: database).forgetRegistrations(container: container.id, environment: environment)
        try await database.pool.write { db in
            _ = try db.run(
                "DELETE FROM madeEnvironment WHERE container = ? AND environment = ?", .integer(container.id),
                .text(environment.rawValue))
        }
    }
}
