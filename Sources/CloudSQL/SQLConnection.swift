/// An engine's implementation of one connection; other code uses ``SQLConnection``.
package protocol SQLDriver: AnyObject {
    /// Binds the values in order, and calls `body` for each row until `body` returns false.
    ///
    /// - Parameter isMadeToOrder: whether the SQL text depends on the request; only a bounded number of such statements
    ///   stays prepared.
    /// - Throws: ``SQLError``, and errors of `body`.
    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws
    /// Writes deferred rows, one statement after the other.
    func write(_ batch: [DeferredRows]) throws
    /// Runs a script of statements without values; none stays prepared.
    func script(_ sql: String) throws
    var isInsideTransaction: Bool { get }
    /// The other writers; nil if only this process writes while the database is open.
    var sharing: (any SQLSharing)? { get }
    /// A number that changes between snapshots if another connection changed the database. Reading it starts the
    /// transaction's snapshot. Nil for engines without a data version.
    func dataVersion() throws -> Int64?
    /// Rows changed by the last writing statement.
    var lastChanges: Int { get }
    /// Rows changed since the connection was opened.
    var totalChanges: Int { get }
    /// Request-dependent statements prepared since the connection was opened.
    var preparedToOrder: Int { get }
    var dialect: any SQLDialect { get }
}

extension SQLDriver {
    package func dataVersion() throws -> Int64? { nil }
}

/// A connection to a database with writers in other programs.
package protocol SQLSharing: AnyObject {
    /// The current change group and facts about earlier groups; nil outside a writing transaction.
    var writers: WritingGroups? { get }
    /// A number for the history of the connected database. A promoted standby or a restored copy has another history. Nil
    /// before the first statement.
    var history: Int64? { get }
    /// Stores the current history in the locked row as that of its epoch.
    func keepHistory() throws
}

/// The change group of a transaction, and facts about earlier groups from the row that every writer locks.
package struct WritingGroups: Sendable {
    /// The random id of the current group.
    package let current: Int64
    /// The id of the last committed group, by any program; nil if none is stored.
    package let last: Int64?
    /// True if the last epoch began in another database history, as after a failover, so acknowledged changes may be
    /// missing.
    package let isAnotherHistory: Bool

    package init(current: Int64, last: Int64?, isAnotherHistory: Bool) {
        self.current = current
        self.last = last
        self.isAnotherHistory = isAnotherHistory
    }
}

/// Cached data that stays valid until the database changes.
private struct StableMemory {
    var rows: AnyObject?
    /// True while an open snapshot is known to match the cache.
    var isKnown = false
    private var version: Int64?

    mutating func begin(_ version: Int64) {
        if version != self.version { (self.version, rows) = (version, nil) }
        isKnown = true
    }
}

/// A database connection, used by one thread at a time.
///
/// Values bind to `?` in order, or to `?1`, `?2`. Statements stay prepared. Methods throw ``SQLError``.
///
/// Deferred statements run before any other statement that could observe the delay.
package final class SQLConnection {
    private let driver: any SQLDriver
    private var deferred = DeferredStatements()
    /// Undeferred statements that may have written.
    package private(set) var immediateWrites = 0
    /// Statements run, and rows returned, since the connection was opened; deferred statements are not counted.
    package private(set) var statements = 0
    package private(set) var rows = 0

    /// Values remembered in a snapshot shared by several reads; nil outside a shared snapshot.
    private var memory: [AnyHashable: Any]?
    private var stable = StableMemory()

    private struct StatementWithValues: Hashable {
        let sql: String
        let values: [SQLValue]
    }

    package init(_ driver: any SQLDriver) { self.driver = driver }

    /// Runs a writing statement.
    ///
    /// - Returns: the number of changed rows; meaningful only for INSERT, UPDATE and DELETE.
    @discardableResult
    package func run(_ sql: String, _ values: SQLValue...) throws -> Int { try run(sql, values) }

    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        // The statement may end the transaction or change rows.
        stable.isKnown = false
        try prepareToWrite()
        statements += 1
        try driver.each(sql, values, isMadeToOrder: false) { _ in false }
        return driver.lastChanges
    }

    /// Runs an INSERT that ends in `RETURNING id`.
    ///
    /// - Returns: the new id.
    package func insert(_ sql: String, _ values: SQLValue...) throws -> Int64 { try insert(sql, values) }

    package func insert(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        var id: Int64?
        try prepareToWrite()
        statements += 1
        // Step to the end: only then is the row stored.
        try driver.each(sql, values, isMadeToOrder: false) {
            id = $0.integer(0)
            return true
        }
        guard let id else { throw SQLError(.other, "no row was inserted", sql: sql) }
        return id
    }

    /// Calls `body` for each row until `body` returns false.
    ///
    /// - Parameter isMadeToOrder: see ``SQLDriver/each(_:_:isMadeToOrder:_:)``.
    package func each(
        _ sql: String, _ values: [SQLValue] = [], isMadeToOrder: Bool = false, _ body: (SQLRow) throws -> Bool
    ) throws {
        try prepare(for: sql)
        try counting(sql, values, isMadeToOrder: isMadeToOrder, body)
    }

    /// Reads the first row; nil if there is none.
    package func first<T>(
        _ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T
    ) throws -> T? {
        try first(sql, values, read: read)
    }

    private func first<T>(_ sql: String, _ values: [SQLValue], read: (SQLRow) throws -> T) throws -> T? {
        var result: T?
        try prepare(for: sql)
        try counting(sql, values) {
            result = try read($0)
            return false
        }
        return result
    }

    /// Reads the first row, once per shared snapshot.
    package func firstInSnapshot<T>(
        _ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T
    ) throws -> T? {
        guard remembersSnapshot else { return try first(sql, values, read: read) }
        return try remembered(StatementWithValues(sql: sql, values: values)) { try first(sql, values, read: read) }
    }

    /// True in a snapshot shared by several reads.
    package var remembersSnapshot: Bool { memory != nil }

    /// A value remembered in the shared snapshot; calls `read` if none is remembered.
    package func remembered<T>(_ key: some Hashable, or read: () throws -> T) rethrows -> T {
        guard memory != nil else { return try read() }
        if let value = memory?[key], let known = value as? T { return known }
        let value = try read()
        memory?[key] = value
        return value
    }

    package func remember<T>(_ key: some Hashable, _ value: T) { memory?[key] = value }

    /// Runs `body`, whose transactions only read. Remembered values are dropped at the end, and on a rollback.
    package func rememberingSnapshot(_ body: () -> Void) {
        memory = [:]
        body()
        memory = nil
    }

    /// Starts the snapshot of a read transaction on a read connection, and checks whether the database changed since
    /// the last call. A change drops the object of ``stable(_:)``.
    package func beginStable() throws {
        guard !stable.isKnown, let version = try driver.dataVersion() else { return }
        stable.begin(version)
    }

    /// An object for data that stays valid until the database changes; nil if the snapshot's version is unknown.
    package func stable<Rows: AnyObject>(_ make: () -> Rows) -> Rows? {
        guard stable.isKnown else { return nil }
        if let rows = stable.rows as? Rows { return rows }
        let rows = make()
        stable.rows = rows
        return rows
    }

    /// Reads all rows, in order.
    package func all<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> [T] {
        var results: [T] = []
        try prepare(for: sql)
        try counting(sql, values) {
            results.append(try read($0))
            return true
        }
        return results
    }

    /// Returns true if the query gives a row.
    package func exists(_ sql: String, _ values: SQLValue...) throws -> Bool {
        var isThere = false
        try prepare(for: sql)
        try counting(sql, values) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    /// Runs a script of statements without values, such as table definitions; none stays prepared.
    package func script(_ sql: String) throws {
        try prepareToWrite()
        try driver.script(sql)
    }

    package func hasTable(_ name: String) throws -> Bool { try dialect.upkeep.hasTable(name, self) }

    package var dialect: any SQLDialect { driver.dialect }

    /// False outside a transaction, and after an error ended it.
    package var isInsideTransaction: Bool { driver.isInsideTransaction && deferred.ended == nil }

    /// The other writers; nil if only this process writes while the database is open.
    package var sharing: (any SQLSharing)? { driver.sharing }

    /// - Throws: the error that ended the transaction.
    package func requireTransaction() throws {
        if let error = deferred.ended { throw error }
        guard driver.isInsideTransaction else { throw SQLError(.aborted, "the transaction has ended") }
    }

    /// Grows with each changed or deferred row.
    package var totalChanges: Int { driver.totalChanges + deferred.count }

    /// Request-dependent statements prepared since the connection was opened.
    package var preparedToOrder: Int { driver.preparedToOrder }

    // MARK: Transactions

    /// Runs `body` in a new transaction.
    package func transaction<T>(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws -> T) throws -> T {
        try run(begin)
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            try rollBack()
            throw error
        }
    }

    /// Rolls the open transaction back, if any.
    package func rollBack() throws {
        deferred.reset()
        stable.isKnown = false
        if memory != nil { memory = [:] }
        if driver.isInsideTransaction { try run("ROLLBACK") }
    }

    /// Begins a savepoint for ``undoSavepoint()``. The database receives it before the savepoint's first write.
    package func beginSavepoint(_ name: String) { deferred.begin(name) }

    /// Undoes the writes of the innermost savepoint, which stays open.
    package func undoSavepoint() throws { try deferred.undo(on: driver) }

    /// Releases the innermost savepoint and keeps its writes.
    package func endSavepoint() throws { try deferred.end(on: driver) }

    // MARK: Statements that wait

    /// Defers a statement, to run in a batch of its kind, at the latest before the next undeferred statement.
    ///
    /// A constraint error reaches the caller of that next statement, who must then undo the savepoint of the deferred
    /// statement, or the transaction if there was no savepoint.
    /// - Parameter key: the key of the written row, for ``isDeferred(_:)``.
    package func later(_ statement: DeferredStatement, _ values: [SQLValue], key: DeferredKey? = nil) throws {
        deferred.add(statement, values, key: key)
        if deferred.isFull { try deferred.write(on: driver, isForWriting: true) }
    }

    /// Writes all deferred statements.
    package func writeDeferred() throws { try prepareToWrite() }

    /// Returns true if a statement deferred under `key` is still waiting.
    package func isDeferred(_ key: DeferredKey) -> Bool { deferred.has(key) }

    /// Reads the first row of a query that depends only on statements deferred under `key`; other statements stay
    /// deferred.
    package func first<T>(
        about key: DeferredKey, _ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T
    ) throws -> T? {
        var result: T?
        if deferred.has(key) { try deferred.write(on: driver, isForWriting: false) }
        try counting(sql, values) {
            result = try read($0)
            return false
        }
        return result
    }

    /// Calls `body` for each row of a query that no deferred statement affects, until `body` returns false.
    package func eachBesideDeferred(
        _ sql: String, _ values: [SQLValue], isMadeToOrder: Bool = false, _ body: (SQLRow) throws -> Bool
    ) throws {
        try counting(sql, values, isMadeToOrder: isMadeToOrder, body)
    }

    private func counting(
        _ sql: String, _ values: [SQLValue], isMadeToOrder: Bool = false, _ body: (SQLRow) throws -> Bool
    ) throws {
        statements += 1
        try driver.each(sql, values, isMadeToOrder: isMadeToOrder) {
            rows += 1
            return try body($0)
        }
    }

    private func prepare(for sql: String) throws {
        // Statements other than SELECT may write: WITH, UPDATE … RETURNING.
        if Self.isSelect(sql) {
            try deferred.write(on: driver, isForWriting: false)
        } else {
            try prepareToWrite()
        }
    }

    private func prepareToWrite() throws {
        immediateWrites += 1
        try deferred.write(on: driver, isForWriting: true)
    }

    private static func isSelect(_ sql: String) -> Bool {
        sql.utf8Span.span.withUnsafeBytes { text in
            // Compares "SELECT " in eight bytes; the last byte may be anything.
            guard text.count >= 8 else { return false }
            return text.loadUnaligned(as: UInt64.self).bigEndian >> 8 == 0x53_45_4C_45_43_54_20
        }
    }
}
