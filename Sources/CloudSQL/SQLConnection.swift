/// The work of an engine for one connection; the rest of the program uses ``SQLConnection``.
package protocol SQLDriver: AnyObject {
    /// Binds the values in their order, and calls `body` for each row until it answers false.
    ///
    /// - Parameter isMadeToOrder: whether the text depends on a request, so that there may be any number of such
    ///   statements; a bounded number of them is kept prepared.
    /// - Throws: ``SQLError``, and what `body` throws.
    func each(_ sql: String, _ values: [SQLValue], isMadeToOrder: Bool, _ body: (SQLRow) throws -> Bool) throws
    /// Writes the rows of statements that have waited, kind after kind.
    func write(_ batch: [DeferredRows]) throws
    /// Runs any number of statements without values, none of which is kept prepared.
    func script(_ sql: String) throws
    func hasTable(_ name: String) throws -> Bool
    var isInsideTransaction: Bool { get }
    /// See ``SQLConnection/writers``.
    var writers: WritingGroups? { get }
    /// See ``SQLConnection/history``.
    var history: Int64? { get }
    /// See ``SQLConnection/keepHistory()``.
    func keepHistory() throws
    /// A number that is another in each snapshot before which others may have changed the database. Asking for it begins
    /// the transaction's snapshot. Nil where the engine does not tell.
    func dataVersion() throws -> Int64?
    /// Rows changed by the last statement that changed any.
    var lastChanges: Int { get }
    /// Rows changed since the connection was opened.
    var totalChanges: Int { get }
    /// Statements made to order that were prepared since the connection was opened.
    var preparedToOrder: Int { get }
    var dialect: any SQLDialect { get }
}

extension SQLDriver {
    package var writers: WritingGroups? { nil }
    package var history: Int64? { nil }
    package func keepHistory() throws {}
    package func dataVersion() throws -> Int64? { nil }
}

/// The group of changes that a transaction writes, and what the row that every writer locks tells of those before it.
package struct WritingGroups: Sendable {
    /// The random id of the group that is being written.
    package let current: Int64
    /// That of the last group that was committed, by whatever program; nil when none was noted.
    package let last: Int64?
    /// True if the database's last epoch began in another history than the one it is in now, which may lack changes that
    /// were acknowledged, as after a failover.
    package let isAnotherHistory: Bool

    package init(current: Int64, last: Int64?, isAnotherHistory: Bool) {
        self.current = current
        self.last = last
        self.isAnotherHistory = isAnotherHistory
    }
}

/// What a connection knows of a database that nobody has changed since.
private struct StableMemory {
    var rows: AnyObject?
    /// True while a snapshot is open that has them.
    var isKnown = false
    private var version: Int64?

    mutating func begin(_ version: Int64) {
        if version != self.version { (self.version, rows) = (version, nil) }
        isKnown = true
    }
}

/// One connection to a database, used by one thread at a time.
///
/// Values are bound to `?` in their order, or to `?1`, `?2`. Statements stay prepared. All of it throws ``SQLError``.
///
/// What is deferred is written before any other statement runs, so that none can tell the difference.
package final class SQLConnection {
    private let driver: any SQLDriver
    private var deferred = DeferredStatements()
    /// The number of statements that may write and were run at once.
    package private(set) var immediateWrites = 0
    /// Statements that were run, and rows that they gave, since the connection was opened. What was deferred is not
    /// among them.
    package private(set) var statements = 0
    package private(set) var rows = 0

    /// What was read in the snapshot that several share; nil outside of one.
    private var memory: [AnyHashable: Any]?
    private var stable = StableMemory()

    private struct StatementWithValues: Hashable {
        let sql: String
        let values: [SQLValue]
    }

    package init(_ driver: any SQLDriver) { self.driver = driver }

    /// Runs a statement for what it changes.
    ///
    /// - Returns: how many rows it changed; of use for INSERT, UPDATE and DELETE only.
    @discardableResult
    package func run(_ sql: String, _ values: SQLValue...) throws -> Int { try run(sql, values) }

    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue]) throws -> Int {
        // It may end the transaction, or change rows.
        stable.isKnown = false
        try prepareToWrite()
        statements += 1
        try driver.each(sql, values, isMadeToOrder: false) { _ in false }
        return driver.lastChanges
    }

    /// Runs an INSERT that ends in `RETURNING id`.
    ///
    /// - Returns: that id.
    package func insert(_ sql: String, _ values: SQLValue...) throws -> Int64 { try insert(sql, values) }

    package func insert(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        var id: Int64?
        try prepareToWrite()
        statements += 1
        // To its end: the row is kept only then.
        try driver.each(sql, values, isMadeToOrder: false) {
            id = $0.integer(0)
            return true
        }
        guard let id else { throw SQLError(.other, "no row was inserted", sql: sql) }
        return id
    }

    /// Calls `body` for each row until it answers false.
    ///
    /// - Parameter isMadeToOrder: see ``SQLDriver/each(_:_:isMadeToOrder:_:)``.
    package func each(
        _ sql: String, _ values: [SQLValue] = [], isMadeToOrder: Bool = false, _ body: (SQLRow) throws -> Bool
    ) throws {
        try prepare(for: sql)
        try counting(sql, values, isMadeToOrder: isMadeToOrder, body)
    }

    /// The first row's answer, or nil when there is none.
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

    /// The first row's answer, asked for once by those who share a snapshot.
    package func firstInSnapshot<T>(
        _ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T
    ) throws -> T? {
        guard remembersSnapshot else { return try first(sql, values, read: read) }
        return try remembered(StatementWithValues(sql: sql, values: values)) { try first(sql, values, read: read) }
    }

    /// Whether several share the snapshot.
    package var remembersSnapshot: Bool { memory != nil }

    /// What was remembered in the snapshot that several share, or else what `read` gives, which is remembered then.
    package func remembered<T>(_ key: some Hashable, or read: () throws -> T) rethrows -> T {
        guard memory != nil else { return try read() }
        if let value = memory?[key], let known = value as? T { return known }
        let value = try read()
        memory?[key] = value
        return value
    }

    package func remember<T>(_ key: some Hashable, _ value: T) { memory?[key] = value }

    /// Runs `body`, whose transactions only read. What they remember is forgotten when it ends, or one is undone.
    package func rememberingSnapshot(_ body: () -> Void) {
        memory = [:]
        body()
        memory = nil
    }

    /// Begins the snapshot of a transaction that only reads, on a connection that only reads, and finds out whether the
    /// database is as it was when this was last called. What ``stable(_:)`` gave is forgotten if it is not.
    package func beginStable() throws {
        guard !stable.isKnown, let version = try driver.dataVersion() else { return }
        stable.begin(version)
    }

    /// An object for what cannot be otherwise before the database changes; nil where that is not known of the snapshot.
    package func stable<Rows: AnyObject>(_ make: () -> Rows) -> Rows? {
        guard stable.isKnown else { return nil }
        if let rows = stable.rows as? Rows { return rows }
        let rows = make()
        stable.rows = rows
        return rows
    }

    /// Each row's answer, in their order.
    package func all<T>(_ sql: String, _ values: SQLValue..., read: (SQLRow) throws -> T) throws -> [T] {
        var results: [T] = []
        try prepare(for: sql)
        try counting(sql, values) {
            results.append(try read($0))
            return true
        }
        return results
    }

    /// Returns true if the query has a row.
    package func exists(_ sql: String, _ values: SQLValue...) throws -> Bool {
        var isThere = false
        try prepare(for: sql)
        try counting(sql, values) { _ in
            isThere = true
            return false
        }
        return isThere
    }

    /// Runs any number of statements without values, such as those that lay out tables. None is kept prepared.
    package func script(_ sql: String) throws {
        try prepareToWrite()
        try driver.script(sql)
    }

    package func hasTable(_ name: String) throws -> Bool { try driver.hasTable(name) }

    package var dialect: any SQLDialect { driver.dialect }

    /// False outside a transaction, and once an error has ended it.
    package var isInsideTransaction: Bool { driver.isInsideTransaction && deferred.ended == nil }

    /// The group that is being written, and what is known of those before it; nil where this process writes alone.
    package var writers: WritingGroups? { driver.writers }

    /// A number for the history that the connected database is in: another one after a standby was promoted or a copy was
    /// restored. Nil before the first statement, and where the engine does not tell.
    package var history: Int64? { driver.history }

    /// Notes in the row that writers lock that its epoch goes by the history of now.
    package func keepHistory() throws { try driver.keepHistory() }

    /// - Throws: what has ended the transaction.
    package func requireTransaction() throws {
        if let error = deferred.ended { throw error }
        guard driver.isInsideTransaction else { throw SQLError(.aborted, "the transaction has ended") }
    }

    /// Grows with each row that is changed or deferred.
    package var totalChanges: Int { driver.totalChanges + deferred.count }

    /// Statements made to order that were prepared since the connection was opened.
    package var preparedToOrder: Int { driver.preparedToOrder }

    // MARK: Transactions

    /// Runs `body` in a transaction of its own.
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

    /// Ends the transaction, if there is one, without what it has written.
    package func rollBack() throws {
        deferred.reset()
        stable.isKnown = false
        if memory != nil { memory = [:] }
        if driver.isInsideTransaction { try run("ROLLBACK") }
    }

    /// Begins what ``undoSavepoint()`` undoes. The database hears of it once something is written in it.
    package func beginSavepoint(_ name: String) { deferred.begin(name) }

    /// Undoes what the innermost savepoint has had; it stays open.
    package func undoSavepoint() throws { try deferred.undo(on: driver) }

    /// Ends the innermost savepoint; what it has had stays.
    package func endSavepoint() throws { try deferred.end(on: driver) }

    // MARK: Statements that wait

    /// Has a statement run with others of its kind, at the latest before the next statement of another way.
    ///
    /// What it breaks is told then, to whoever runs that statement. The savepoint that it was deferred in must be undone
    /// after that; without one, the transaction.
    /// - Parameter key: what it writes, for ``isDeferred(_:)``.
    package func later(_ statement: DeferredStatement, _ values: [SQLValue], key: DeferredKey? = nil) throws {
        deferred.add(statement, values, key: key)
        if deferred.isFull { try deferred.write(on: driver, isForWriting: true) }
    }

    /// Writes what waits.
    package func writeDeferred() throws { try prepareToWrite() }

    /// Returns true if something deferred under `key` still waits.
    package func isDeferred(_ key: DeferredKey) -> Bool { deferred.has(key) }

    /// The first row's answer to a statement that only what was deferred under `key` can concern. All else goes on
    /// waiting.
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

    /// Calls `body` for each row of a statement that nothing deferred can concern, until it answers false.
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
        // What begins otherwise may write, be it WITH or an UPDATE that returns something.
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
            // Eight bytes at once, of which the last may be anything.
            guard text.count >= 8 else { return false }
            return text.loadUnaligned(as: UInt64.self).bigEndian >> 8 == 0x53_45_4C_45_43_54_20
        }
    }
}
