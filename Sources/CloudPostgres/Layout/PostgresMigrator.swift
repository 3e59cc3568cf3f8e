import CloudSQL
import CloudStore

/// Makes a schema and applies migrations, one server at a time, and remembers in the schema which it has had.
struct PostgresMigrator {
    let driver: PostgresDriver
    let db: SQLConnection
    let schema: String

    /// A number of ours for the lock that whoever makes or changes a schema holds.
    private static let lock = 0x6375_6D75_6C75

    /// Makes the schema if there is none, with what the engine itself needs in it.
    ///
    /// - Parameter note: its comment.
    func makeSchema(note: String) throws {
        try alone {
            guard try driver.run("SELECT 1 FROM pg_namespace WHERE nspname = '\(schema)'")?.command == "SELECT 0"
            else { return }
            try driver.run("CREATE SCHEMA \"\(schema)\"")
            try driver.run("COMMENT ON SCHEMA \"\(schema)\" IS \(PostgresDriver.quoted(note))")
            try driver.run(EngineFunctions.layout)
            try driver.run("CREATE TABLE migrations (name text COLLATE \"C\" PRIMARY KEY)")
        }
    }

    func run(_ migrations: [Migration]) throws {
        let known = try applied()
        let unknown = known.subtracting(migrations.map(\.name))
        guard unknown.isEmpty else { throw NewerSchema(unknown: unknown) }
        for migration in migrations where !known.contains(migration.name) {
            try alone {
                // Another server may have been faster.
                guard try !applied().contains(migration.name) else { return }
                try migration.run(db)
                try db.run("INSERT INTO migrations (name) VALUES (?)", .text(migration.name))
            }
        }
    }

    private func applied() throws -> Set<String> {
        Set(try db.all("SELECT name FROM migrations") { $0.text(0) })
    }

    func alone(_ body: () throws -> Void) throws {
        try driver.begin("BEGIN")
        do {
            try driver.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
            try body()
            try db.run("COMMIT")
        } catch {
            try db.rollBack()
            throw error
        }
    }
}
