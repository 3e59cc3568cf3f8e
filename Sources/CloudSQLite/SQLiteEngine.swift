import CSQLiteMemory
package import CloudEngine
import GRDBSQLite

/// Stores each database in a SQLite file.
package struct SQLiteEngine: StoreEngine {
    /// The size limit of an idle, checkpointed log in bytes. A busy log may reach twice the limit (``LogKeeper``), and more
    /// during a long read such as an export.
    package static let logLimit = 64 << 20

    package let locations: any DatabaseLocations
    package let opener: any DatabaseOpener
    package let copier: any DatabaseCopier

    /// - Parameters:
    ///   - onStatement: receives each statement of a write connection, without values.
    ///   - onDistance: called for each distance computed on a write connection.
    ///   - isSynced: whether commits survive a power failure; false only for tests.
    package init(
        onStatement: (@Sendable (String) -> Void)? = nil, onDistance: (@Sendable () -> Void)? = nil,
        isSynced: Bool = true
    ) {
        _ = Self.memoryIsUncounted
        let opener = SQLiteOpener(onStatement: onStatement, onDistance: onDistance, isSynced: isSynced)
        let files = DatabaseFiles(opener: opener, isSynced: isSynced)
        (self.opener, locations, copier) = (opener, files, SQLiteCopier(files: files))
    }

    /// By default SQLite counts each allocation under one lock for all connections.
    private static let memoryIsUncounted = csqlitememory_leave_uncounted() == SQLITE_OK

    package var respondsAtOnce: Bool { true }
    package var locks: (any EngineLocks)? { nil }
    package var news: (any EngineNews)? { nil }
}
