import CloudSQL
import CloudStore

/// Makes a schema and applies migrations, one server at a time, and remembers in the schema which it has had.
struct PostgresMigrator {
    let driver: PostgresDriver
    let db: SQLConnection
    let schema: String
    /// The row that writers lock; nil where nobody writes.
    let row: LockedRow?

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
        let unknown = known.subtracting(migrations.map(\.name) + [LockedRow.migration])
        guard unknown.isEmpty else { throw NewerSchema(unknown: unknown) }
        for migration in migrations where !known.contains(migration.name) {
            try alone {
                // Another server may have been faster.
                guard try !applied().contains(migration.name) else { return }
                try migration.run(db)
                try note(migration.name)
            }
        }
        if let row, !known.contains(LockedRow.migration) { try addColumns(to: row) }
    }

    /// Adds what the row of writers has here beside the columns that both engines have.
    private func addColumns(to row: LockedRow) throws {
        try alone {
            guard try !applied().contains(LockedRow.migration), try driver.hasTable(row.table) else { return }
            try driver.run(row.layout)
            try note(LockedRow.migration)
        }
    }

    private func note(_ name: String) throws { try db.run("INSERT INTO migrations (name) VALUES (?)", .text(name)) }

    func applied() throws -> Set<String> {
        Set(try db.all("SELECT name FROM migrations") { $0.text(0) })
    }

    func alone(_ body: () throws -> Void) throws {
        try driver.begin("BEGIN")
        do {
            // A step may take its time between two statements.
            let longest = driver.longestAnswer.pollTime
            try driver.run("SET LOCAL idle_in_transaction_session_timeout = '\(longest)ms'")
            try driver.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
            try body()
            try db.run("COMMIT")
        } catch {
            try db.rollBack()
            throw error
        }
    }
}
