import CloudEngine
import CloudSQL
import CloudSQLite

/// Opens copies of laid-out databases, or emptied schemas, and tells what their connections run.
struct TestOpener: DatabaseOpener {
    let opener: any DatabaseOpener
    let copiesRecords: Bool
    let copiesAccounts: Bool
    let onRead: (@Sendable (String) -> Void)?
    let onRecordsWrite: (@Sendable (String) -> Void)?
    let lookups: @Sendable (any EngineConnection) -> any EngineConnection
    let onAccountsWrite: (@Sendable () -> Void)?
    let onWrite: (@Sendable (String) -> Void)?
    /// Schemas of tests that have ended; nil for SQLite.
    let spares: SpareSchemas?

    func openForWriting(_ path: String) throws -> any EngineConnection {
        if copiesRecords { try spares?.provide(path, .records) }
        let isCopy = try copiesRecords && spares == nil && LaidOutFile.records.get().copy(to: path)
        let connection = try noted(recordsOpener.openForWriting(path), path)
        if isCopy { try connection.write(LaidOutFile.renew) }
        return connection
    }

    private var recordsOpener: any DatabaseOpener {
        guard let onRecordsWrite else { return opener }
        return SQLiteEngine(onStatement: { if StatementKind.mayWrite($0) { onRecordsWrite($0) } }, isSynced: false)
            .opener
    }

    func openForReading(_ path: String) throws -> any EngineConnection {
        // Only connections for writing tell what they run.
        guard let onRead else { return try noted(opener.openForReading(path), path) }
        return try SQLiteEngine(onStatement: onRead, isSynced: false).opener.openForWriting(path)
    }

    func openAccounts(_ path: String) throws -> any SQLPool {
        if copiesAccounts { try spares?.provide(path, .accounts) }
        if copiesAccounts, spares == nil { try LaidOutFile.accounts.get().copy(to: path) }
        let pool = try noted(opener.openAccounts(path), path)
        if onAccountsWrite == nil, onWrite == nil { return pool }
        return WatchedPool(pool: pool, onWrite: onAccountsWrite, onStatement: onWrite)
    }

    func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        lookups(try noted(opener.openAccountsForReading(path), path))
    }

    func watchAccounts(_ path: String) throws -> any AccountsProbe {
        try noted(opener.watchAccounts(path), path)
    }

    /// Notes a connection, since only schemas without connections are spare.
    private func noted<T>(_ connection: T, _ path: String) -> T {
        spares?.note(connection, to: path)
        return connection
    }

    func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { opener.writesOfAccounts(path, onWrite) }
}
