import CloudEngine
import CloudSQL
import CloudSQLite

/// Opens copies of laid-out databases, and tells what their connections run.
struct TestOpener: DatabaseOpener {
    let opener: any DatabaseOpener
    let copiesRecords: Bool
    let copiesAccounts: Bool
    let onRead: (@Sendable (String) -> Void)?
    let onRecordsWrite: (@Sendable (String) -> Void)?
    let lookups: @Sendable (any EngineConnection) -> any EngineConnection
    let onAccountsWrite: (@Sendable () -> Void)?
    let onWrite: (@Sendable (String) -> Void)?

    func openForWriting(_ path: String) throws -> any EngineConnection {
        let isCopy = try copiesRecords && LaidOutFile.records.get().copy(to: path)
        let connection = try recordsOpener.openForWriting(path)
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
        guard let onRead else { return try opener.openForReading(path) }
        return try SQLiteEngine(onStatement: onRead, isSynced: false).opener.openForWriting(path)
    }

    func openAccounts(_ path: String) throws -> any SQLPool {
        if copiesAccounts { try LaidOutFile.accounts.get().copy(to: path) }
        let pool = try opener.openAccounts(path)
        if onAccountsWrite == nil, onWrite == nil { return pool }
        return WatchedPool(pool: pool, onWrite: onAccountsWrite, onStatement: onWrite)
    }

    func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        lookups(try opener.openAccountsForReading(path))
    }

    func watchAccounts(_ path: String) throws -> any AccountsProbe { try opener.watchAccounts(path) }

    func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { opener.writesOfAccounts(path, onWrite) }
}
