import CloudEngine
import CloudSQL
import Dispatch
import Synchronization

/// A connection with its own queue.
final class PostgresConnection: EngineConnection {
    private let queue: DispatchQueue
    private let server: PostgresServer
    private let usage = Mutex(Usage())
    private let confined: Confined
    private let schema: String
    private let row: LockedRow?

    /// State with the connection's lifetime.
    private final class Confined: @unchecked Sendable {
        // Used only on the queue.
        let driver: PostgresDriver
        let connection: SQLConnection

        init(_ driver: PostgresDriver) {
            self.driver = driver
            connection = SQLConnection(driver)
        }
    }

    /// The number of running and queued bodies, and the end of the last.
    private struct Usage {
        var count = 0
        var end = ContinuousClock.now
        /// True if the last body left an open connection.
        var isConnected = false
    }

    /// - Parameters:
    ///   - row: see ``PostgresDriver/Transactions``.
    ///   - givesWay: whether an idle connection may give its slot to another.
    ///   - answerTime: the time without a response after which a statement fails; nil for the server's limit.
    init(
        _ server: PostgresServer, schema: String, row: LockedRow? = nil, givesWay: Bool = true,
        answerTime: Duration? = nil
    ) {
        queue = DispatchQueue(label: schema)
        self.server = server
        self.schema = schema
        self.row = row
        confined = Confined(PostgresDriver(server, schema: schema, .init(row: row, answerTime: answerTime)))
        if givesWay { server.add(self) }
    }

    deinit { server.remove(ObjectIdentifier(self)) }

    func use<T>(_ body: (SQLConnection) throws -> T) throws -> T { try sync { try body(confined.connection) } }

    func start(_ body: @escaping @Sendable (SQLConnection) -> Void) {
        beginUse()
        queue.async { [self] in
            body(confined.connection)
            noteConnection()
            endUse()
        }
    }

    private func sync<T>(_ body: () throws -> T) rethrows -> T {
        beginUse()
        defer { endUse() }
        return try queue.sync {
            defer { noteConnection() }
            return try body()
        }
    }

    private func noteConnection() { usage.withLock { $0.isConnected = confined.driver.isConnected } }

    private func beginUse() { usage.withLock { $0.count += 1 } }

    private func endUse() {
        usage.withLock { usage in
            usage.count -= 1
            usage.end = .now
        }
    }

    // MARK: Giving way

    /// The time of the last use, for an idle connection with a slot.
    var idleSince: ContinuousClock.Instant? {
        usage.withLock { $0.count == 0 && $0.isConnected ? $0.end : nil }
    }

    /// Gives the slot to another connection, unless used meanwhile; the next use reconnects.
    func letGo() {
        start { _ in if !self.confined.driver.isInsideTransaction { self.confined.driver.close() } }
    }

    /// Checks `mustEnd` periodically during statements; `steps` is ignored.
    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool) {
        sync { confined.driver.mustEnd = mustEnd }
    }

    func makeSchema(note: String) throws { try sync { try migrator.makeSchema(note: note) } }
    func migrate(_ migrations: [Migration]) throws { try sync { try migrator.run(migrations) } }
    /// The names of applied store migrations, without the engine's own.
    func migrationNames() throws -> Set<String> {
        try sync { try migrator.applied().subtracting(PostgresMigrator.own) }
    }

    func copySchema(
        to target: String, note: String, _ report: (_ done: Int, _ total: Int) -> Void
    ) throws {
        try sync {
            try SchemaCopy(
                source: schema, target: target, note: note, driver: confined.driver, db: confined.connection
            ).run(report)
        }
    }

    /// Runs PostgreSQL statements while no schema is being changed.
    func runAlone(_ sql: String) throws {
        try sync { try migrator.alone { try confined.driver.run(sql) } }
    }

    private var migrator: PostgresMigrator {
        PostgresMigrator(driver: confined.driver, db: confined.connection, schema: schema, row: row)
    }

    /// PostgreSQL manages its own log.
    func checkpoint() throws {}
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) {}

    /// Caches live in the server process.
    func freeMemory() -> MemoryRelease { .free }

    func close() throws { sync { confined.driver.close() } }
}
