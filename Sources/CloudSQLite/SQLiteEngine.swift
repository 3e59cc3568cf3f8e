import CSQLiteMemory
import CloudSQL
package import CloudStore
import GRDB

/// Stores each database in a SQLite file.
package struct SQLiteEngine: StoreEngine {
    /// The size limit of an idle, checkpointed log in bytes. A busy log may reach twice the limit (``LogKeeper``), and more
    /// during a long read such as an export.
    package static let logLimit = 64 << 20

    private let onStatement: (@Sendable (String) -> Void)?

    private let onDistance: (@Sendable () -> Void)?

    let isSynced: Bool

    /// - Parameters:
    ///   - onStatement: receives each statement of a write connection, without values.
    ///   - onDistance: called for each distance computed on a write connection.
    ///   - isSynced: whether commits survive a power failure; false only for tests.
    package init(
        onStatement: (@Sendable (String) -> Void)? = nil, onDistance: (@Sendable () -> Void)? = nil,
        isSynced: Bool = true
    ) {
        self.onStatement = onStatement
        self.onDistance = onDistance
        self.isSynced = isSynced
        _ = Self.memoryIsUncounted
    }

    /// By default SQLite counts each allocation under one lock for all connections.
    private static let memoryIsUncounted = csqlitememory_leave_uncounted() == SQLITE_OK

    package var respondsAtOnce: Bool { true }
    package var locks: (any EngineLocks)? { nil }
    package var news: (any EngineNews)? { nil }

    package func facts(of path: String) -> DatabaseFacts? {
        FileIdentity(path: path).map { file in
            DatabaseFacts(identity: (file.device, file.inode), isEmpty: file.size == 0)
        }
    }

    package var place: String? { nil }
    package func name(of path: String) -> String { path }

    package func logBytes(of path: String) -> Int64 { FileIdentity(path: path + "-wal")?.size ?? 0 }

    package func openForWriting(_ path: String) throws -> any EngineConnection {
        try worded {
            let queue = try DatabaseQueue(path: path, configuration: .records(readonly: false)).synced(isSynced)
            if let onDistance { queue.inDatabase { $0.add(function: .distance(toldTo: onDistance)) } }
            if let onStatement {
                queue.inDatabase { db in
                    db.trace { if case .statement(let statement) = $0 { onStatement(statement.sql) } }
                }
            }
            return SQLiteConnection(queue, LogKeeper(path: path))
        }
    }

    package func openForReading(_ path: String) throws -> any EngineConnection {
        try worded {
            SQLiteConnection(
                try DatabaseQueue(path: path, configuration: .records(readonly: true)), isForReading: true)
        }
    }

    package func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        try worded {
            var configuration = Configuration()
            configuration.readonly = readonly
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // A copy of a WAL database is in WAL mode; switch to a single file.
            if !readonly { try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") } }
            return SQLiteConnection(queue)
        }
    }

    package func openAccounts(_ path: String) throws -> any SQLPool {
        try worded {
            SQLitePool(try DatabasePool(path: path, configuration: .accounts(readonly: false)).synced(isSynced))
        }
    }

    package func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        try worded { SQLiteConnection(try DatabaseQueue(path: path, configuration: .accounts(readonly: true))) }
    }

    package func watchAccounts(_ path: String) throws -> any AccountsProbe { try AccountRevision(path: path) }

    package func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { LogWrites(of: path + "-wal", onWrite: onWrite) }

    package func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        try worded { try DatabaseCopy.run(from: source, to: path, report) }
    }

    package func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        try worded { try DatabaseCopy.run(from: source, to: path, step) }
        // Close the copy in a journal mode that needs no second file.
        try openCopy(path, readonly: false).close()
    }

    private func worded<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as DatabaseError { throw SQLError(error) }
    }
}

extension GRDB.DatabaseWriter {
    /// Syncs the log at each commit, or never. GRDB sets NORMAL when it enables WAL, after `prepareDatabase`; a 200
    /// response promises that the change survives a power failure.
    fileprivate func synced(_ isSynced: Bool) throws -> Self {
        try writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(isSynced ? "FULL" : "OFF")") }
        return self
    }
}
