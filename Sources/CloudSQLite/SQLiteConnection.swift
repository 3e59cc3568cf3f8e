import CloudEngine
import CloudSQL
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// A connection opened by GRDB.
///
/// A read connection runs under a lock on the calling thread, which is cheaper than GRDB's queue; other work runs on
/// that queue.
final class SQLiteConnection: EngineConnection {
    private let queue: DatabaseQueue
    private let confined: Confined
    private let memory = Atomic(Memory.inUse)
    /// The log keeper of a records writer.
    let keeper: LogKeeper?
    private let isForReading: Bool

    private enum Memory: UInt8, AtomicRepresentable {
        case inUse
        /// The connection was unused since the last call of ``rest()``.
        case idle, free
    }

    /// State with the connection's lifetime.
    private final class Confined: @unchecked Sendable {
        // Touched under `lock` only.
        let lock = NSLock()
        let driver: SQLiteDriver
        let connection: SQLConnection
        var mustEnd: (() -> Bool)?

        init(_ db: Database) {
            driver = SQLiteDriver(db)
            connection = SQLConnection(driver)
        }

        func use<T>(_ body: () throws -> T) rethrows -> T {
            lock.lock()
            defer { lock.unlock() }
            return try body()
        }
    }

    init(_ queue: DatabaseQueue, _ keeper: LogKeeper? = nil, isForReading: Bool = false) {
        self.queue = queue
        self.keeper = keeper
        self.isForReading = isForReading
        confined = queue.inDatabase { db in
            if db.configuration.readonly { Self.endAuthorizer(of: db) }
            if let connection = db.sqliteConnection {
                keeper?.install(on: connection)
                if isForReading {
                    // GRDB's hooks serve observers, which this connection lacks, and require GRDB's queue.
                    sqlite3_commit_hook(connection, nil, nil)
                    sqlite3_rollback_hook(connection, nil, nil)
                }
            }
            return Confined(db)
        }
    }

    /// Open statements would keep the file open.
    deinit { confined.use { confined.driver.forgetStatements() } }

    func use<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        memory.store(.inUse, ordering: .relaxed)
        if isForReading { return try confined.use { try body(confined.connection) } }
        return try onQueue { _ in try body(confined.connection) }
    }

    func start(_ body: @escaping @Sendable (SQLConnection) -> Void) {
        memory.store(.inUse, ordering: .relaxed)
        queue.asyncWriteWithoutTransaction { [confined] _ in confined.use { body(confined.connection) } }
    }

    /// Runs `body` on GRDB's queue, with exclusive use of the connection.
    private func onQueue<T>(_ body: (Database) throws -> T) rethrows -> T {
        try queue.inDatabase { db in try confined.use { try body(db) } }
    }

    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool) {
        onQueue { db in
            confined.mustEnd = mustEnd
            sqlite3_progress_handler(
                db.sqliteConnection, Int32(steps),
                { context in
                    guard let context else { return 0 }
                    let confined = Unmanaged<Confined>.fromOpaque(context).takeUnretainedValue()
                    return confined.mustEnd?() == true ? 1 : 0
                }, Unmanaged.passUnretained(confined).toOpaque())
        }
    }

    func migrate(_ migrations: [Migration]) throws {
        try Migrator.run(migrations, on: queue)
        onQueue { Self.endAuthorizer(of: $0) }
    }

    /// Removes GRDB's authorizer, which SQLite calls for each column of a compiled statement. Migrations and observers need
    /// it; this connection has no observers.
    private static func endAuthorizer(of db: Database) { sqlite3_set_authorizer(db.sqliteConnection, nil, nil) }

    func migrationNames() throws -> Set<String> {
        do { return try queue.read(DatabaseMigrator().appliedIdentifiers) } catch { throw SQLError(error) }
    }

    func checkpoint() throws {
        do {
            try onQueue { db in
                // SQLite refuses a concurrent checkpoint.
                try alone { _ = try db.checkpoint(.truncate) }
            }
        } catch { throw SQLError(error) }
    }

    private func alone(_ body: () throws -> Void) throws {
        if let keeper { try keeper.alone(body) } else { try body() }
    }

    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) { keeper?.watch(onTrouble) }

    func freeMemory() -> MemoryRelease {
        if memory.compareExchange(expected: .inUse, desired: .idle, ordering: .relaxed).exchanged { return .kept }
        let isIdle = memory.compareExchange(expected: .idle, desired: .free, ordering: .relaxed).exchanged
        guard isIdle else { return .free }
        // Asynchronous, with errors ignored: a failure only keeps memory in use.
        queue.asyncWriteWithoutTransaction { [confined] db in
            confined.use { try? db.execute(sql: "PRAGMA shrink_memory") }
        }
        return .freed
    }

    func close() throws {
        do {
            onQueue { _ in confined.driver.forgetStatements() }
            // The keeper closes first: the last connection to close checkpoints the whole log.
            keeper?.close()
            try queue.close()
        } catch { throw SQLError(error) }
    }
}

/// Applies migrations and records their names in the database.
enum Migrator {
    static func run(_ migrations: [Migration], on writer: some GRDB.DatabaseWriter) throws {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            // A deferred check reads all rows of all tables.
            let checks: DatabaseMigrator.ForeignKeyChecks = migration.checksReferences ? .deferred : .immediate
            migrator.registerMigration(migration.name, foreignKeyChecks: checks) { db in
                let driver = SQLiteDriver(db)
                defer { driver.forgetStatements() }
                try migration.run(SQLConnection(driver))
            }
        }
        do {
            let unknown = try writer.read(migrator.appliedIdentifiers).subtracting(migrator.migrations)
            guard unknown.isEmpty else { throw NewerSchema(unknown: unknown) }
            try migrator.migrate(writer)
        } catch let error as DatabaseError { throw SQLError(error) }
    }
}
