import CloudEngine
import CloudSQL
import GRDB

/// Opens database files.
struct SQLiteOpener: DatabaseOpener {
    let onStatement: (@Sendable (String) -> Void)?
    let onDistance: (@Sendable () -> Void)?
    let isSynced: Bool

    func openForWriting(_ path: String) throws -> any EngineConnection {
        try asSQLError {
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

    func openForReading(_ path: String) throws -> any EngineConnection {
        try asSQLError {
            SQLiteConnection(
                try DatabaseQueue(path: path, configuration: .records(readonly: true)), isForReading: true)
        }
    }

    func openAccounts(_ path: String) throws -> any SQLPool {
        try asSQLError {
            SQLitePool(try DatabasePool(path: path, configuration: .accounts(readonly: false)).synced(isSynced))
        }
    }

    func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        try asSQLError { SQLiteConnection(try DatabaseQueue(path: path, configuration: .accounts(readonly: true))) }
    }

    func watchAccounts(_ path: String) throws -> any AccountsProbe { try AccountRevision(path: path) }

    func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { LogWrites(of: path + "-wal", onWrite: onWrite) }
}

/// Runs `body`, whose GRDB errors become ``SQLError``.
func asSQLError<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError { throw SQLError(error) }
}

extension GRDB.DatabaseWriter {
    /// Syncs the log at each commit, or never. GRDB sets NORMAL when it enables WAL, after `prepareDatabase`; a 200
    /// response promises that the change survives a power failure.
    fileprivate func synced(_ isSynced: Bool) throws -> Self {
        try writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(isSynced ? "FULL" : "OFF")") }
        return self
    }
}
