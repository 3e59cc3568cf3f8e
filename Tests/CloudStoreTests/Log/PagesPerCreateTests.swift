import CloudModel
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Pages that a create writes to the log, which the writer's time is spent on.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct PagesPerCreateTests {
    private static let schema = """
        RECORD TYPE Item (title STRING QUERYABLE, number INT64 QUERYABLE, bucket INT64, price DOUBLE, note STRING);
        """

    @Test(
        "A record of five fields, two of them indexed, writes a bounded number of pages",
        arguments: [(1, 18.5), (16, 4.5), (200, 0.9)])
    func creates(inGroupsOf group: Int, mostPages: Double) async throws {
        let temporary = try TemporaryStore(.production)
        try await temporary.store.makeZone()
        try await temporary.store.schema.deploy(Self.schema)
        var generator = SeededGenerator(seed: 7)
        // A table of some depth, as those that grow have.
        try await save(400, in: temporary.store, 5, &generator)
        let before = try Self.frames(temporary.path)
        let groups = max(1, 400 / group)
        try await save(group, in: temporary.store, groups, &generator)
        let pages = Double(try Self.frames(temporary.path) - before) / Double(groups * group)
        #expect(pages <= mostPages, "\(pages) pages a create")
        try await temporary.store.close()
    }

    private func save(
        _ count: Int, in store: EnvironmentStore, _ groups: Int, _ generator: inout SeededGenerator
    ) async throws {
        for _ in 0..<groups {
            let operations = (0..<count).map { _ in Self.item(generator.next()) }
            let result = try await store.modify(operations, growsSchema: false)
            #expect(result.outcomes.allSatisfy { if case .failed = $0 { false } else { true } })
        }
    }

    /// About 640 bytes of body; names are scattered as UUIDs are.
    private static func item(_ number: UInt64) -> String {
        let small = number % 100_000
        return operation(
            .create, String(number, radix: 16), type: "Item",
            fields: """
                {"title": {"value": "Item number \(small)"}, "number": {"value": \(small)},
                "bucket": {"value": \(small % 1_000)}, "price": {"value": \(small % 1_000).5},
                "note": {"value": "\(String(repeating: "a note, ", count: 12))"}}
                """)
    }

    /// Of a log that was not begun anew: its size without its head, by pages with theirs.
    private static func frames(_ path: String) throws -> Int {
        let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
        return (size - 32) / (4096 + 24)
    }
}
