import CloudEngine
import CloudSQL

/// A pool that tells of what writes.
struct WatchedPool: SQLPool {
    let pool: any SQLPool
    /// Told of each transaction that may write; nil for nobody.
    let onWrite: (@Sendable () -> Void)?
    /// Told of each statement that may write; nil for nobody.
    let onStatement: (@Sendable (String) -> Void)?

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        try await pool.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        onWrite?()
        return try await pool.write { db in try body(watched(db)) }
    }

    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        onWrite?()
        return try pool.writeBlocking { db in try body(watched(db)) }
    }

    private func watched(_ db: SQLConnection) -> SQLConnection {
        onStatement.map { SQLConnection(TracedDriver(db, onWrite: $0)) } ?? db
    }

    func migrate(_ migrations: [Migration]) throws { try pool.migrate(migrations) }
    func checkpoint() throws { try pool.checkpoint() }
    func close() throws { try pool.close() }
}

/// Passes statements on to a connection.
private final class TracedDriver: SQLDriver {
    private let db: SQLConnection
    private let onWrite: (String) -> Void
    private(set) var lastChanges = 0

    init(_ db: SQLConnection, onWrite: @escaping (String) -> Void) {
        self.db = db
        self.onWrite = onWrite
    }

    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws {
        if StatementKind.mayWrite(sql) { onWrite(sql) }
        let before = db.totalChanges
        try db.each(sql, values, isMadeToOrder: isMadeToOrder, body)
        lastChanges = db.totalChanges - before
    }

    func script(_ sql: String) throws {
        onWrite(sql)
        try db.script(sql)
    }

    var isInsideTransaction: Bool { db.isInsideTransaction }
    var sharing: (any SQLSharing)? { db.sharing }
    var totalChanges: Int { db.totalChanges }
    var preparedToOrder: Int { db.preparedToOrder }
    var dialect: any SQLDialect { db.dialect }
}

enum StatementKind {
    private static let reads = ["SELECT", "PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "--"]

    static func mayWrite(_ sql: String) -> Bool { !reads.contains { sql.hasPrefix($0) } }
}
