package import CloudEngine
import CloudSQLite
import Foundation

/// The engine for tests without a power cut: SQLite that syncs nothing, whose new databases begin as a copy of a laid-out
/// one, or PostgreSQL (``ChosenEngine``), whose new schemas begin as those of tests that have ended.
package struct TestEngine: StoreEngine {
    /// The cost of passwords in tests.
    package static let passwordCost = 4

    private let engine: any StoreEngine
    package let opener: any DatabaseOpener
    package let isPostgres: Bool

    /// - Parameters:
    ///   - isPostgres: true for PostgreSQL, false for SQLite.
    ///   - copiesRecords: false to have the migrations lay out each database of records.
    ///   - copiesAccounts: false to have the migrations lay out each accounts database.
    ///   - onRead: told of each statement that a reader of records runs, on SQLite.
    ///   - lookups: wraps the connection for lookups of accounts.
    ///   - onAccountsWrite: told of each transaction that writes to the accounts.
    ///   - onWrite: told of each statement that may write: in a database of records on SQLite, in the accounts on either
    ///     engine.
    package init(
        isPostgres: Bool = ChosenEngine.isPostgres, copiesRecords: Bool = true, copiesAccounts: Bool = true,
        onRead: (@Sendable (String) -> Void)? = nil,
        lookups: @escaping @Sendable (any EngineConnection) -> any EngineConnection = { $0 },
        onAccountsWrite: (@Sendable () -> Void)? = nil, onWrite: (@Sendable (String) -> Void)? = nil
    ) {
        self.isPostgres = isPostgres
        if isPostgres {
            guard let postgres = try? ChosenEngine.postgres.get() else { fatalError("\(ChosenEngine.postgres)") }
            engine = postgres
        } else {
            engine = SQLiteEngine(isSynced: false)
        }
        opener = TestOpener(
            opener: engine.opener, copiesRecords: copiesRecords, copiesAccounts: copiesAccounts,
            onRead: isPostgres ? nil : onRead, onRecordsWrite: isPostgres ? nil : onWrite, lookups: lookups,
            onAccountsWrite: onAccountsWrite, onWrite: onWrite, spares: isPostgres ? ChosenEngine.spares : nil)
    }

    package var locations: any DatabaseLocations { engine.locations }
    package var copier: any DatabaseCopier { engine.copier }
    package var respondsAtOnce: Bool { engine.respondsAtOnce }
    package var locks: (any EngineLocks)? { nil }
    package var news: (any EngineNews)? { nil }
}
