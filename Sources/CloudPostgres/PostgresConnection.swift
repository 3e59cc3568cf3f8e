import CloudSQL
import CloudStore
import Dispatch

/// A connection and its queue.
final class PostgresConnection: EngineConnection {
    private let queue: DispatchQueue
    private let confined: Confined
    private let schema: String

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

    init(_ settings: PostgresLink.Settings, schema: String, lock: String? = nil) {
        queue = DispatchQueue(label: schema)
        self.schema = schema
        confined = Confined(PostgresDriver(settings, schema: schema, .init(lock: lock)))
    }

    func use<T>(_ body: (SQLConnection) throws -> T) throws -> T { try queue.sync { try body(confined.connection) } }

    func start(_ body: @escaping @Sendable (SQLConnection) -> Void) {
        queue.async { [confined] in body(confined.connection) }
    }

    /// Asks while the server works; what it does by then is not counted in steps.
    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool) {
        queue.sync { confined.driver.mustEnd = mustEnd }
    }

    func makeSchema() throws { try queue.sync { try migrator.makeSchema() } }
    func migrate(_ migrations: [Migration]) throws { try queue.sync { try migrator.run(migrations) } }

    func copySchema(to target: String, _ report: (_ done: Int, _ total: Int) -> Void) throws {
        try queue.sync {
            try SchemaCopy(source: schema, target: target, driver: confined.driver, db: confined.connection).run(report)
        }
    }

    private var migrator: PostgresMigrator {
        PostgresMigrator(driver: confined.driver, db: confined.connection, schema: schema)
    }

    /// The log is the server's.
    func checkpoint() throws {}
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void) {}

    func close() throws { queue.sync { confined.driver.close() } }
}
