import CloudEngine
import CloudSQL
import GRDB

/// A GRDB pool: several readers, and one writer whose commits return after reaching the disk.
final class SQLitePool: SQLPool {
    private let pool: DatabasePool

    init(_ pool: DatabasePool) { self.pool = pool }

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        try await worded { try await pool.read { try Self.run(body, $0) } }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        try await worded { try await pool.write { try Self.run(body, $0) } }
    }

    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        do { return try pool.write { try Self.run(body, $0) } } catch let error as DatabaseError {
            throw SQLError(error)
        }
    }

    private static func run<T>(_ body: (SQLConnection) throws -> T, _ db: Database) throws -> T {
        let driver = SQLiteDriver(db)
        defer { driver.forgetStatements() }
        return try body(SQLConnection(driver))
    }

    /// Converts errors of GRDB's own BEGIN and COMMIT.
    private func worded<T>(_ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch let error as DatabaseError { throw SQLError(error) }
    }

    func migrate(_ migrations: [Migration]) throws { try Migrator.run(migrations, on: pool) }

    func checkpoint() throws {
        do {
            try pool.writeWithoutTransaction { db in
                // A task that was cancelled after its last statement leaves the connection interrupted. A statement ends
                // that, a checkpoint would fail.
                try db.execute(sql: "SELECT 1")
                _ = try db.checkpoint(.truncate)
            }
        } catch { throw SQLError(error) }
    }

    func close() throws {
        do { try pool.close() } catch { throw SQLError(error) }
    }
}
