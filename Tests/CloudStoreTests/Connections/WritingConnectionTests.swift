import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct WritingConnectionTests {
    private static let pragmas = ["journal_mode", "synchronous", "foreign_keys"]
    private static let expected = ["wal", "2", "1"]

    @Test("The writer of a store syncs its log at every commit")
    func storesSync() async throws {
        let temporary = try TemporaryStore(engine: SQLiteEngine())
        let found = try await temporary.store.stored.writes.write(for: nil) { try Self.read($0.db) }
        #expect(found == Self.expected)
        try await temporary.store.close()
    }

    @Test("Every connection of imports, clones and accounts syncs its log at every commit")
    func commandsSync() async throws {
        let fixture = try AccountFixture(engine: SQLiteEngine())
        let store = try fixture.open()
        let path = fixture.folder.recordsFile(container: 1, environment: .production)
        for _ in 0..<2 {
            let connection = try SQLiteEngine().opener.openForWriting(path)
            #expect(try connection.use(Self.read) == Self.expected)
            try connection.close()
        }
        #expect(try await store.database.pool.write { try Self.read($0) } == Self.expected)
    }

    @Test(
        "SQLite's automatic checkpoints and log limit are on for the accounts only",
        arguments: [
            (pragma: "wal_autocheckpoint", records: 0, accounts: 1_000),
            (pragma: "journal_size_limit", records: -1, accounts: Int64(SQLiteEngine.logLimit)),
        ])
    func logs(pragma: String, records: Int64, accounts: Int64) async throws {
        let fixture = try AccountFixture(engine: SQLiteEngine())
        let store = try fixture.open()
        let writer = try SQLiteEngine().opener.openForWriting(
            fixture.folder.recordsFile(container: 1, environment: .production))
        #expect(try writer.use { db in try db.first("PRAGMA \(pragma)") { $0.integer(0) } } == records)
        try writer.close()
        let found = try await store.database.pool.write { db in
            try db.first("PRAGMA \(pragma)") { $0.integer(0) }
        }
        #expect(found == accounts)
    }

    @Test("No other source file opens a writing or an unsynced connection")
    func onlyPlace() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path())
        where path.hasSuffix(".swift") && !path.hasSuffix("/SQLiteOpener.swift") {
            // A copy is nobody else's, and is made anew when it was not finished.
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
                .replacing(/openCopy\([^()]*, readonly: false\)/, with: "")
            #expect(!text.contains("readonly: false"), "\(path)")
            #expect(!text.contains("DatabasePool(path"), "\(path)")
            // What 'cumulus exec' keeps lasts no longer than its command.
            #expect(!text.contains("dataFolder(isSynced: false") || path.hasSuffix("/ExecServer.swift"), "\(path)")
            // The settings of connections, which the line about `readonly: false` looks after, and copies.
            let setsMode = ["/Configuration.swift", "/SQLiteCopier.swift"].contains { path.hasSuffix($0) }
            #expect(setsMode || !text.contains("configuration.readonly ="), "\(path)")
            #expect(
                !text.contains(/SQLiteEngine\([^)]*isSynced/) || path.hasSuffix("/DatabaseSettings.swift"), "\(path)")
            #expect(
                !text.contains(/SQLiteOpener\([^)]*isSynced|DatabaseFiles\([^)]*isSynced/)
                    || path.hasSuffix("/SQLiteEngine.swift"), "\(path)")
        }
    }

    private static func read(_ db: SQLConnection) throws -> [String] {
        try pragmas.map { try db.first("PRAGMA \($0)") { $0.text(0) } ?? "" }
    }
}
