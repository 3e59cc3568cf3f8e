import CloudSQL
import CloudStore
import Dispatch
import Synchronization

/// A connection and its queue.
final class PostgresConnection: EngineConnection {
    private let queue: DispatchQueue
    private let server: PostgresServer
    private let usage = Mutex(Usage())
    private let confined: Confined
    private let schema: String
    private let row: LockedRow?

    /// State that lives as long as the connection.
    private final class Confined: @unchecked Sendable {
        // Touched on the queue only.
        let driver: PostgresDriver
        let connection: SQLConnection

        init(_ driver: PostgresDriver) {
            self.driver = driver
            connection = SQLConnection(driver)
        }
    }

    /// The number of bodies that run or wait, and when there were last any.
    private struct Usage {
        var count = 0
        var end = ContinuousClock.now
        /// Whether the last of them left a connection.
        var isConnected = false
    }

    /// - Parameters:
    ///   - row: see ``PostgresDriver/Transactions``.
    ///   - givesWay: whether another may have its place while nobody uses it.
    ///   - answerTime: the time without an answer in which a statement is given up; that of the server when nil.
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

    /// The time of the last use, if the connection has a place that nobody uses now.
    var idleSince: ContinuousClock.Instant? {
        usage.withLock { $0.count == 0 && $0.isConnected ? $0.end : nil }
    }

    /// Gives its place to another connection unless it is used by then; it gets one again when it is next used.
    func letGo() {
        start { _ in if !self.confined.driver.isInsideTransaction { self.confined.driver.close() } }
    }

    /// Asks while the server works; what it does by then is not counted in steps.
    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool) {
        sync { confined.driver.mustEnd = mustEnd }
    }

    func makeSchema(note: String) throws { try sync { try migrator.makeSchema(note: note) } }
    func migrate(_ migrations: [Migration]) throws { try sync { try migrator.run(migrations) } }
    /// The names of the store's migrations, without the engine's own.
    func migrationNames() throws -> Set<String> {
        try sync { try migrator.applied().subtracting([LockedRow.migration]) }
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

    /// Runs statements of PostgreSQL's own while nobody makes or changes a schema.
    func runAlone(_ sql: String) throws {
        try sync { try migrator.alone { try confined.driver.run(sql) } }
    }

    private var migrator: PostgresMigrator {
        PostgresMigrator(driver: confined.driver, db: confined.connection, schema: schema, row: row)
    }

    /// The log is the server's.
    func checkpoint() throws {}
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) {}

    /// What it keeps is with the server.
    func rest() -> Rest { .free }

    func close() throws { sync { confined.driver.close() } }
}
