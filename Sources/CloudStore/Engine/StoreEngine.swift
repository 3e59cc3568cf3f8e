package import CloudSQL

/// The keeper of the databases: opens, lays out, copies and moves them. A database is known by a path.
///
/// Everything here throws ``SQLError`` but for what a signature says.
package protocol StoreEngine: DatabaseLocations, DatabaseOpener, DatabaseCopier {
    /// Whether a statement answers without waiting for another program, so that a caller's thread may wait for it.
    var respondsAtOnce: Bool { get }

    /// Locks among programs that use the same databases; nil where the data folder's lock lets one server in.
    var locks: (any EngineLocks)? { get }

    /// News among servers that use the same databases; nil where there is one.
    var news: (any EngineNews)? { get }
}

/// Finds, moves and removes an engine's databases.
package protocol DatabaseLocations: Sendable {
    /// The database that a path leads to as of now; nil when there is none.
    func facts(of path: String) throws -> DatabaseFacts?

    /// The place of all databases, for people; nil for the data folder.
    var place: String? { get }

    /// The name by which an operator finds a database.
    func name(of path: String) -> String

    /// Bytes of its log that are not in the database itself; 0 where the log is none of ours.
    func logBytes(of path: String) -> Int64

    /// Puts a database into the place of another, which is whole until the moment it is gone. Nobody has either open.
    func move(_ path: String, to place: String) throws

    /// Takes away a database that nobody has open, or what is left of one.
    func remove(_ path: String) throws

    /// The paths of databases that begin so.
    func databases(beginningWith prefix: String) throws -> [String]
}

/// Opens an engine's databases.
package protocol DatabaseOpener: Sendable {
    /// Opens a database of records for writing, making it when there is none. A commit has reached the disk before it
    /// returns.
    func openForWriting(_ path: String) throws -> any EngineConnection

    /// Opens a database of records that is there.
    func openForReading(_ path: String) throws -> any EngineConnection

    /// Opens the database of accounts, making it when there is none.
    func openAccounts(_ path: String) throws -> any SQLPool

    /// Opens the database of accounts, which is there, for lookups on their caller's thread.
    func openAccountsForReading(_ path: String) throws -> any EngineConnection

    /// Watches the database of accounts, which is there.
    func watchAccounts(_ path: String) throws -> any AccountsProbe

    /// Calls `onWrite` when any program writes to the database of accounts, a moment before what it commits can be
    /// read, and with false once it cannot tell any more.
    ///
    /// - Returns: an object to be kept for as long as it is to be told; nil where writes are not told.
    func writesOfAccounts(_ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void)
        -> (any Sendable)?
}

/// Copies an engine's databases.
package protocol DatabaseCopier: Sendable {
    /// Copies a database as it is at one moment, whoever writes meanwhile.
    ///
    /// - Parameter report: called with the pages done and those there are.
    func copy(_ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void) throws

    /// Copies a database that nobody has open, in one go.
    ///
    /// - Parameter path: of no database.
    func duplicate(_ source: String, to path: String) throws

    /// Copies any database as it is at one moment into one file of this machine, which is on disk at the end and which
    /// ``openCopy(_:readonly:)`` opens. Whoever writes meanwhile is let by.
    ///
    /// - Parameter step: called with the pages done and those there are. What it throws ends the copying.
    /// - Throws: ``TransferFault`` where databases are no files and have backups of their own.
    func backUp(_ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void) throws

    /// Opens a copy that ``copy(_:to:_:)`` made. Nobody else uses it.
    func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection
}

/// Locks that end with the program that holds them, however it ends.
package protocol EngineLocks: Sendable {
    /// Takes a lock unless another program has it. To be asked again and again: locks end with a lost connection too.
    ///
    /// - Parameter shared: whether others may hold it that share it too.
    /// - Returns: whether this program has it now.
    func hold(_ name: String, shared: Bool) throws -> Bool
}

/// Tells the servers that use the same databases what has become of push tokens.
package protocol EngineNews: Sendable {
    /// Tells the others; to be called after the commit.
    func tell(_ news: TokenNews)

    /// Calls `hear`, on a thread of its own, with what others tell until it answers false, and once a second with no
    /// messages; with nil when some of it may have been lost.
    func listen(_ hear: @escaping @Sendable (TokenNews?) -> Bool)
}

/// News of push tokens.
package enum TokenNews: Hashable, Sendable {
    /// They got a message.
    case messages(Set<Int64>)
    /// They are registered in other places than before, or nowhere.
    case registrations(Set<Int64>)
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

    /// The names of the migrations that the database has had.
    func migrationNames() throws -> Set<String>

    /// Brings all of the log back into the database.
    func checkpoint() throws

    /// Calls `onTrouble`, on any thread, with what keeps the log from being brought back beside the commits, which are
    /// safe in it; with nil once it was.
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void)

    /// Frees, as soon as nobody uses it, what it keeps in memory for what may be asked next; unless it was used since the
    /// last call.
    func rest() -> Rest

    func close() throws
}

/// What became of the memory of a connection that may rest.
package enum Rest: Hashable, Sendable {
    /// Somebody has used it.
    case kept
    case freed
    /// It has been free since before.
    case free
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
/// Used under a lock, so nothing here waits for another program.
package protocol AccountsProbe {
    /// The revision as it is known; nil where it has to be read first.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when it could not be read for so long that the last one is not gone by any more.
    func current() throws -> AccountsRevision?

    /// Reads what ``current()`` does not know; nil where that always knows.
    var source: (any RevisionSource)? { get }

    /// Has the next ``current()`` count what other processes have changed by now.
    func readAnew()
}

/// Reads the revision of accounts that are kept by another program.
package protocol RevisionSource: Sendable {
    func read() async throws -> AccountsRevision

    /// The same on the caller's thread, which waits.
    func readBlocking() throws -> AccountsRevision
}

/// The state of the accounts, for processes that remember some of them.
package struct AccountsRevision: Hashable, Sendable {
    /// Differs from an earlier one exactly when something was changed or removed in between.
    package var changes: Int64 = 0
    /// The same of what was added, whose absence a process may remember.
    package var additions: Int64 = 0

    package init(changes: Int64 = 0, additions: Int64 = 0) {
        self.changes = changes
        self.additions = additions
    }
}
