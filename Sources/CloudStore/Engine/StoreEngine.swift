package import CloudSQL

/// The keeper of the databases: opens, lays out and copies them. A database is known by a path.
///
/// Everything here throws ``SQLError`` but for what a signature says.
package protocol StoreEngine: Sendable {
    /// Whether a statement answers without waiting for another program, so that a caller's thread may wait for it.
    var answersAtOnce: Bool { get }

    /// The database that a path leads to as of now; nil when there is none.
    func facts(of path: String) -> DatabaseFacts?

    /// Bytes of its log that are not in the database itself; 0 where the log is none of ours.
    func logBytes(of path: String) -> Int64

    /// Opens a database of records for writing, making it when there is none. A commit has reached the disk before it
    /// returns.
    func openForWriting(_ path: String) throws -> any EngineConnection

    /// Opens a database of records that is there.
    func openForReading(_ path: String) throws -> any EngineConnection

    /// Opens a copy that ``copy(_:to:_:)`` made. Nobody else uses it.
    func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection

    /// Opens the database of accounts, making it when there is none.
    func openAccounts(_ path: String) throws -> any SQLPool

    /// Opens the database of accounts, which is there, for lookups on their caller's thread.
    func openAccountsForReading(_ path: String) throws -> any EngineConnection

    /// Watches the database of accounts, which is there.
    func watchAccounts(_ path: String) throws -> any AccountsProbe

    /// Copies a database as it is at one moment, whoever writes meanwhile.
    ///
    /// - Parameter report: called with the pages done and those there are.
    func copy(_ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void) throws
}

/// One connection to a database, and a thread for it.
package protocol EngineConnection: Sendable {
    /// Runs `body` on the caller's thread once nobody else uses the connection.
    func use<T>(_ body: (SQLConnection) throws -> T) throws -> T

    /// Runs `body` on the connection's own thread, after what was started before.
    func start(_ body: @escaping @Sendable (SQLConnection) -> Void)

    /// Asks `mustEnd` once in `steps` steps of a statement, on the thread that runs it, and ends the statement as
    /// interrupted when it says so.
    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool)

    /// Brings the database up to date.
    ///
    /// - Throws: ``NewerSchema`` when it has had a migration that is not among these.
    func migrate(_ migrations: [Migration]) throws

    /// Brings all of the log back into the database.
    func checkpoint() throws

    /// Calls `onTrouble`, on any thread, with what keeps the log from being brought back beside the commits, which are
    /// safe in it; with nil once it was.
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void)

    func close() throws
}

extension EngineConnection {
    /// Runs `body` on the caller's thread in a transaction that sees one moment.
    package func read<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        try use { db in try db.transaction("BEGIN DEFERRED") { try body(db) } }
    }

    /// Runs `body` on the caller's thread in a transaction that is committed unless it throws.
    package func write<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        try use { db in try db.transaction { try body(db) } }
    }
}

/// Connections to one database that any number of tasks and programs use at the same time.
package protocol SQLPool: Sendable {
    /// Runs `body` in a transaction that sees one moment.
    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// Runs `body` alone, in a transaction that is committed unless it throws.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// The same on the caller's thread, which waits.
    @discardableResult
    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T

    /// Brings the database up to date.
    ///
    /// - Throws: ``NewerSchema`` when it has had a migration that is not among these.
    func migrate(_ migrations: [Migration]) throws

    /// Brings all of the log back into the database.
    func checkpoint() throws

    func close() throws
}

/// Tells whether anybody, in whatever process, has changed what a process may remember of the accounts.
///
/// Used under a lock.
package protocol AccountsProbe {
    /// A number that differs from an earlier one exactly when there was a change in between.
    func current() throws -> Int64
}
