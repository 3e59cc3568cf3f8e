package import CloudSQL

/// A database engine, whose databases are each identified by a path.
///
/// Methods of its parts throw ``SQLError``; other errors are documented at the method.
package protocol StoreEngine: Sendable {
    var locations: any DatabaseLocations { get }
    var opener: any DatabaseOpener { get }
    var copier: any DatabaseCopier { get }

    /// Whether statements respond without waiting for another program, so that they may block the calling thread.
    var respondsAtOnce: Bool { get }

    /// Locks between programs that share the databases; nil where the data folder's lock admits only one server.
    var locks: (any EngineLocks)? { get }

    /// Messages between servers that share the databases; nil for a single server.
    var news: (any EngineNews)? { get }
}

/// Finds, moves and removes an engine's databases.
package protocol DatabaseLocations: Sendable {
    /// The current facts of the database at a path; nil if there is none.
    func facts(of path: String) throws -> DatabaseFacts?

    /// The location of all databases, for operators; nil for the data folder.
    var place: String? { get }

    /// A database's name for operators.
    func name(of path: String) -> String

    /// Log bytes not yet in the database file; 0 for an engine that manages its own log.
    func logBytes(of path: String) -> Int64

    /// Atomically replaces the database at `place` by the database at `path`. Both must be closed.
    func move(_ path: String, to place: String) throws

    /// Deletes a closed database, or the remains of one.
    func remove(_ path: String) throws

    /// The paths of databases with a prefix.
    func databases(beginningWith prefix: String) throws -> [String]
}

/// Opens an engine's databases.
package protocol DatabaseOpener: Sendable {
    /// Opens a records database for writing, and creates a missing one. Commits return after reaching the disk.
    func openForWriting(_ path: String) throws -> any EngineConnection

    /// Opens an existing records database.
    func openForReading(_ path: String) throws -> any EngineConnection

    /// Opens the accounts database, and creates a missing one.
    func openAccounts(_ path: String) throws -> any SQLPool

    /// Opens the existing accounts database for lookups on the calling thread.
    func openAccountsForReading(_ path: String) throws -> any EngineConnection

    /// Watches the existing accounts database for changes.
    func watchAccounts(_ path: String) throws -> any AccountsProbe

    /// Calls `onWrite` when any program writes to the accounts database, just before the commit becomes visible; passes
    /// false when the watch has failed.
    ///
    /// - Returns: an object that keeps the watch alive; nil if the engine does not report writes.
    func writesOfAccounts(_ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void)
        -> (any Sendable)?
}

/// Copies an engine's databases.
package protocol DatabaseCopier: Sendable {
    /// Copies a snapshot of a database; writers are not blocked.
    ///
    /// - Parameter report: called with the copied and total pages.
    func copy(_ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void) throws

    /// Copies a closed database at once.
    ///
    /// - Parameter path: the target, where no database may exist.
    func duplicate(_ source: String, to path: String) throws

    /// Copies a snapshot of a database into one local file, synced to disk, for ``openCopy(_:readonly:)``. Writers are
    /// not blocked.
    ///
    /// - Parameter step: called with the copied and total pages; an error thrown by `step` stops the copy.
    /// - Throws: ``BackupRefusal`` for an engine without database files, which has backups of its own.
    func backUp(_ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void) throws

    /// Opens a copy made by ``copy(_:to:_:)`` or ``backUp(_:to:_:)``; the caller is its only user.
    func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection
}

/// Locks that end with their program, crashes included.
package protocol EngineLocks: Sendable {
    /// Takes a lock, unless another program holds it. Callers repeat the call: a lost connection also loses its locks.
    ///
    /// - Parameter shared: whether other programs may share the lock.
    /// - Returns: whether this program holds the lock.
    func hold(_ name: String, shared: Bool) throws -> Bool
}

/// Exchanges push token news between servers that share the databases.
package protocol EngineNews: Sendable {
    /// Sends news to the other servers; called after the commit.
    func tell(_ news: TokenNews)

    /// Calls `hear` on a dedicated thread with news from other servers until `hear` returns false. Calls it every
    /// second even without news, and with nil when news may have been lost.
    func listen(_ hear: @escaping @Sendable (TokenNews?) -> Bool)
}

/// News about push tokens.
package enum TokenNews: Hashable, Sendable {
    /// Tokens that received a message.
    case messages(Set<Int64>)
    /// Tokens whose registrations changed or ended.
    case registrations(Set<Int64>)
}

/// A database connection with its own thread.
package protocol EngineConnection: Sendable {
    /// Runs `body` on the calling thread, with exclusive use of the connection.
    func use<T>(_ body: (SQLConnection) throws -> T) throws -> T

    /// Queues `body` on the connection's own thread.
    func start(_ body: @escaping @Sendable (SQLConnection) -> Void)

    /// Calls `mustEnd` every `steps` statement steps, on the statement's thread; interrupts the statement on true.
    func endStatements(every steps: Int, when mustEnd: @escaping () -> Bool)

    /// Runs outstanding migrations.
    ///
    /// - Throws: ``NewerSchema`` when the database has an unknown migration.
    func migrate(_ migrations: [Migration]) throws

    /// The names of the applied migrations.
    func migrationNames() throws -> Set<String>

    /// Checkpoints the whole log into the database.
    func checkpoint() throws

    /// Calls `onTrouble`, on any thread, with errors of background checkpoints, and with nil after a success. Commits
    /// stay safe in the log.
    func watchLog(_ onTrouble: @escaping @Sendable (SQLError?) -> Void)

    /// Frees the connection's caches once it is idle, unless it was used since the last call.
    func freeMemory() -> MemoryRelease

    func close() throws
}

/// The result of asking a connection to free its memory.
package enum MemoryRelease: Hashable, Sendable {
    /// The connection was used, so its memory is kept.
    case kept
    case freed
    /// The memory was already free.
    case free
}

extension EngineConnection {
    /// Runs `body` on the calling thread in a snapshot transaction.
    package func read<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        try use { db in try db.transaction("BEGIN DEFERRED") { try body(db) } }
    }

    /// Runs `body` on the calling thread in a transaction, committed unless `body` throws.
    package func write<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        try use { db in try db.transaction { try body(db) } }
    }
}

/// Connections to one database, shared by tasks and programs.
package protocol SQLPool: Sendable {
    /// Runs `body` in a snapshot transaction.
    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// Runs `body` in an exclusive transaction, committed unless `body` throws.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T

    /// Like ``write(_:)``, but blocks the calling thread.
    @discardableResult
    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T

    /// Runs outstanding migrations.
    ///
    /// - Throws: ``NewerSchema`` when the database has an unknown migration.
    func migrate(_ migrations: [Migration]) throws

    /// Checkpoints the whole log into the database.
    func checkpoint() throws

    func close() throws
}

/// Detects changes to the accounts by any process, for caches of account data.
///
/// Called under a lock, so the methods must not wait for another program.
package protocol AccountsProbe {
    /// The known revision; nil if the caller must read it from ``source``.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when reads have failed for so long that the last revision is too old.
    func current() throws -> AccountsRevision?

    /// Reads the revision when ``current()`` gives nil; nil for an engine that always knows it.
    var source: (any RevisionSource)? { get }

    /// Invalidates the known revision, so that the next ``current()`` includes changes by other processes.
    func readAnew()
}

/// Reads the revision of an accounts database kept by another program.
package protocol RevisionSource: Sendable {
    func read() async throws -> AccountsRevision

    /// Like ``read()``, but blocks the calling thread.
    func readBlocking() throws -> AccountsRevision
}

/// A revision of the accounts, for caches of account data.
package struct AccountsRevision: Hashable, Sendable {
    /// Differs between two revisions exactly when account data was changed or removed in between.
    package var changes: Int64 = 0
    /// The same for additions, which invalidate cached absences.
    package var additions: Int64 = 0

    package init(changes: Int64 = 0, additions: Int64 = 0) {
        self.changes = changes
        self.additions = additions
    }
}
