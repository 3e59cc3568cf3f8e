import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// The log of a database that is written during an export.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct ExportedLogTests {
    private static let rows = 80

    @Test(
        "A log that outgrew its limit beside an export is cut back after it, without further writes",
        .timeLimit(.minutes(20)))
    func givenBack() async throws {
        let fixture = try MovingFixture()
        let source = try await fixture.accounts.containers.create(name: "source")
        let store = try await fixture.open(source, .production)
        try await store.makeZone()
        let path = fixture.data.recordsFile(container: source.id, environment: .production)
        let writer = try SQLiteEngine().opener.openForWriting(path)
        let hasWritten = Mutex(false)
        _ = try await EnvironmentExport(
            of: source, .production, in: fixture.data, accounts: fixture.accounts, to: fixture.folder("one"),
            report: { progress in
                guard progress.what == "pages", !hasWritten.withLock({ exchange(&$0, true) }) else { return }
                do {
                    try writer.write(Self.fill)
                    #expect(try Self.size(path) > SQLiteEngine.logLimit)
                } catch { Issue.record(error) }
            }
        ).run()
        #expect(hasWritten.withLock { $0 })
        while try Self.size(path) > 0 { try await Task.sleep(for: .milliseconds(20)) }
        try writer.close()
        try await store.close()
    }

    @Sendable private static func fill(_ db: SQLConnection) throws {
        try db.script("CREATE TABLE filling (bytes BLOB)")
        for _ in 0..<rows { try db.run("INSERT INTO filling VALUES (zeroblob(1000000))") }
    }

    private static func size(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        return try #require(attributes[.size] as? Int)
    }
}

private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
    defer { value = new }
    return value
}
