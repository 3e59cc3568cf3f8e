import CloudSQL
import CloudSQLite
package import CloudStore
import Foundation

/// The engine for tests that no power cut is part of: SQLite that syncs nothing, whose new databases begin as a copy of
/// one that is laid out, or PostgreSQL (``ChosenEngine``).
package struct TestEngine: StoreEngine {
    /// Of passwords, for accounts that nobody attacks.
    package static let passwordCost = 4

    private let engine: any StoreEngine
    private let copiesRecords: Bool
    private let copiesAccounts: Bool
    private let onRead: (@Sendable (String) -> Void)?
    package let isPostgres: Bool
    private let lookups: @Sendable (any EngineConnection) -> any EngineConnection
    private let onAccountsWrite: (@Sendable () -> Void)?
    private let onWrite: (@Sendable (String) -> Void)?

    /// - Parameters:
    ///   - isPostgres: true for PostgreSQL, false for SQLite.
    ///   - copiesRecords: false to have the migrations lay out each database of records.
    ///   - onRead: told of each statement that a reader of records runs, on SQLite.
    ///   - lookups: wraps the connection for lookups of accounts.
    ///   - onAccountsWrite: told of each transaction that writes to the accounts.
    ///   - onWrite: told of each statement that may write: in a database of records on SQLite, in the accounts on either
    ///     engine.
    package init(
        isPostgres: Bool = ChosenEngine.isPostgres, copiesRecords: Bool = true,
        onRead: (@Sendable (String) -> Void)? = nil,
        lookups: @escaping @Sendable (any EngineConnection) -> any EngineConnection = { $0 },
        onAccountsWrite: (@Sendable () -> Void)? = nil, onWrite: (@Sendable (String) -> Void)? = nil
    ) {
        self.onAccountsWrite = onAccountsWrite
        self.onRead = onRead
        self.onWrite = onWrite
        self.lookups = lookups
        self.isPostgres = isPostgres
        if isPostgres {
            guard let postgres = try? ChosenEngine.postgres.get() else { fatalError("\(ChosenEngine.postgres)") }
            engine = postgres
        } else {
            engine = SQLiteEngine(isSynced: false)
        }
        self.copiesRecords = copiesRecords && !isPostgres
        copiesAccounts = !isPostgres
    }

    package var respondsAtOnce: Bool { engine.respondsAtOnce }
    package var locks: (any EngineLocks)? { nil }
    package var news: (any EngineNews)? { nil }
    package func facts(of path: String) throws -> DatabaseFacts? { try engine.facts(of: path) }
    package var place: String? { engine.place }
    package func name(of path: String) -> String { engine.name(of: path) }
    package func logBytes(of path: String) -> Int64 { engine.logBytes(of: path) }

    package func openForWriting(_ path: String) throws -> any EngineConnection {
        let isCopy = try copiesRecords && LaidOutFile.records.get().copy(to: path)
        let connection = try traced.openForWriting(path)
        if isCopy { try connection.write(LaidOutFile.renew) }
        return connection
    }

    private var traced: any StoreEngine {
        guard let onWrite, !isPostgres else { return engine }
        return SQLiteEngine(onStatement: { if StatementKind.mayWrite($0) { onWrite($0) } }, isSynced: false)
    }

    package func openForReading(_ path: String) throws -> any EngineConnection {
        // Only connections for writing tell what they run.
        guard let onRead, !isPostgres else { return try engine.openForReading(path) }
        return try SQLiteEngine(onStatement: onRead, isSynced: false).openForWriting(path)
    }

    package func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        try engine.openCopy(path, readonly: readonly)
    }

    package func openAccounts(_ path: String) throws -> any SQLPool {
        if copiesAccounts { try LaidOutFile.accounts.get().copy(to: path) }
        let pool = try engine.openAccounts(path)
        if onAccountsWrite == nil, onWrite == nil { return pool }
        return WatchedPool(pool: pool, onWrite: onAccountsWrite, onStatement: onWrite)
    }

    package func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        lookups(try engine.openAccountsForReading(path))
    }

    package func watchAccounts(_ path: String) throws -> any AccountsProbe { try engine.watchAccounts(path) }
    package func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { engine.writesOfAccounts(path, onWrite) }

    package func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        try engine.copy(source, to: path, report)
    }

    package func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        try engine.backUp(source, to: path, step)
    }

    package func duplicate(_ source: String, to path: String) throws { try engine.duplicate(source, to: path) }

    package func move(_ path: String, to place: String) throws { try engine.move(path, to: place) }
    package func remove(_ path: String) throws { try engine.remove(path) }

    package func databases(beginningWith prefix: String) throws -> [String] {
        try engine.databases(beginningWith: prefix)
    }
}
