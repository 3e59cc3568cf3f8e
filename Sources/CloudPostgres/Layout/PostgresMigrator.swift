import CloudEngine
import CloudSQL

/// Creates a schema and applies migrations, one server at a time, and records applied migrations in the schema.
struct PostgresMigrator {
    let driver: PostgresDriver
    let db: SQLConnection
    let schema: String
    /// The row that writers lock; nil for a read connection.
    let row: LockedRow?

    /// The advisory lock number for changing schemas.
    private static let lock = 0x6375_6D75_6C75

    /// Creates a missing schema with the engine's functions and tables.
    ///
    /// - Parameter note: the schema's comment.
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
        var known = try applied()
        if known.isEmpty {
            try layOut(migrations)
            known = try applied()
        }
        let unknown = known.subtracting(migrations.map(\.name)).subtracting(Self.own)
        guard unknown.isEmpty else { throw NewerSchema(unknown: unknown) }
        if !known.contains(EngineFunctions.migration) { try addFunctions() }
        for migration in migrations where !known.contains(migration.name) {
            try alone {
                // Another server may have applied the migration meanwhile.
                guard try !applied().contains(migration.name) else { return }
                try migration.run(db)
                try note(migration.name)
            }
        }
        if let row, !known.contains(LockedRow.migration) { try addColumns(to: row) }
    }

    /// Applies all migrations to a new schema in one transaction, in a fraction of the time of one for each.
    private func layOut(_ migrations: [Migration]) throws {
        try alone {
            // Another server may have begun meanwhile.
            guard try applied().isEmpty else { return }
            try driver.run(EngineFunctions.lists)
            try note(EngineFunctions.migration)
            for migration in migrations {
                try migration.run(db)
                try note(migration.name)
            }
            guard let row, try db.hasTable(row.table) else { return }
            try driver.run(row.layout)
            try note(LockedRow.migration)
        }
    }

    /// Migrations of PostgreSQL alone.
    static let own: Set = [LockedRow.migration, EngineFunctions.migration]

    private func addFunctions() throws {
        try alone {
            guard try !applied().contains(EngineFunctions.migration) else { return }
            try driver.run(EngineFunctions.lists)
            try note(EngineFunctions.migration)
        }
    }

    /// Adds the PostgreSQL columns of the locked row.
    private func addColumns(to row: LockedRow) throws {
        try alone {
            guard try !applied().contains(LockedRow.migration), try db.hasTable(row.table) else { return }
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
            // A migration may pause between two statements.
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
