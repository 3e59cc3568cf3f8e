package import CloudSQL
import CloudSQLite
package import CloudStore
import Foundation

/// SQLite for tests that no power cut is part of: nothing is synced, and a new database begins as a copy of one that
/// is laid out.
package struct TestEngine: StoreEngine {
    /// Of passwords, for accounts that nobody attacks.
    package static let passwordCost = 4

    private let engine = SQLiteEngine(isSynced: false)
    private let copiesRecords: Bool

    /// - Parameter copiesRecords: false to have the migrations lay out each database of records.
    package init(copiesRecords: Bool = true) { self.copiesRecords = copiesRecords }

    package func openForWriting(_ path: String) throws -> any EngineConnection {
        let isCopy = try copiesRecords && LaidOutFile.records.get().copy(to: path)
        let connection = try engine.openForWriting(path)
        if isCopy { try connection.write(LaidOutFile.renew) }
        return connection
    }

    package func openForReading(_ path: String) throws -> any EngineConnection { try engine.openForReading(path) }

    package func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        try engine.openCopy(path, readonly: readonly)
    }

    package func openAccounts(_ path: String) throws -> any SQLPool {
        try LaidOutFile.accounts.get().copy(to: path)
        return try engine.openAccounts(path)
    }

    package func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        try engine.openAccountsForReading(path)
    }

    package func watchAccounts(_ path: String) throws -> any AccountsProbe { try engine.watchAccounts(path) }

    package func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        try engine.copy(source, to: path, report)
    }
}
