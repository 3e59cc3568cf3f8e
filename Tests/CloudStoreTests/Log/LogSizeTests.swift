import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Bounds on a file's log after something has read for long.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct LogSizeTests {
    private static let rows = 80

    @Test("A log that outgrew its limit beside a long reader is cut back after it", .timeLimit(.minutes(20)))
    func cutBack() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let reader = try await LongReader(temporary.path)
        try await fill(store)
        #expect(try Self.size(temporary.path) > SQLiteEngine.logLimit)
        try reader.end()
        for _ in 0..<3 {
            _ = try await store.stored.writes.write(for: nil) { try $0.db.run("INSERT INTO filling VALUES (x'00')") }
        }
        while try Self.size(temporary.path) > SQLiteEngine.logLimit { try await Task.sleep(for: .milliseconds(20)) }
        try await store.close()
    }

    private func fill(_ store: EnvironmentStore) async throws {
        try await store.stored.writes.write(for: nil) { try Self.fill($0.db) }
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
