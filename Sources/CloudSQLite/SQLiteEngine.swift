import CSQLiteMemory
import CloudSQL
package import CloudStore
import GRDB

/// Keeps each database in a file of SQLite's.
package struct SQLiteEngine: StoreEngine {
    /// The most bytes that stay in a file's log once its commits are in the file itself, and nobody writes. Up to twice
    /// that is used between (``LogKeeper``), and more for as long as somebody reads that takes long, such as an export.
    package static let logLimit = 64 << 20

    private let onStatement: (@Sendable (String) -> Void)?

    private let onDistance: (@Sendable () -> Void)?

    let isSynced: Bool

    /// - Parameters:
    ///   - onStatement: told of each statement that a connection for writing runs, without its values.
    ///   - onDistance: told of each distance that a statement on such a connection works out.
    ///   - isSynced: whether commits outlive a power cut. False is for what tests keep.
    package init(
        onStatement: (@Sendable (String) -> Void)? = nil, onDistance: (@Sendable () -> Void)? = nil,
        isSynced: Bool = true
    ) {
        self.onStatement = onStatement
        self.onDistance = onDistance
        self.isSynced = isSynced
        _ = Self.memoryIsUncounted
    }

    /// SQLite would count at each allocation, under one lock for all connections.
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
            // A copy of a file in WAL is in WAL; it is to be one file.
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
        // One file, without the mode that would have a reader make a second.
        try openCopy(path, readonly: false).close()
    }

    private func worded<T>(_ body: () throws -> T) throws -> T {
        do { return try body() } catch let error as DatabaseError { throw SQLError(error) }
    }
}

extension DatabaseWriter {
    /// Has each commit in the log synced before it returns, or nothing at all. GRDB settles for NORMAL when it turns WAL
    /// on, which it does after `prepareDatabase`, and a 200 means that the change outlives a power cut.
    fileprivate func synced(_ isSynced: Bool) throws -> Self {
        try writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(isSynced ? "FULL" : "OFF")") }
        return self
    }
}
