import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudCrypto
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// What operators look at takes the same statements however many records a zone has, and each of them seeks.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"), .timeLimit(.minutes(5)))
struct BrowsingCostTests {
    private final class Statements: Sendable {
        let all = Mutex<[String]>([])
    }

    private func filled(_ count: Int) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        for start in stride(from: 0, to: count, by: 100) {
            _ = try await temporary.store.modify(
                (start..<start + 100).map { number in
                    let held = number == start ? "" : #","of":\#(reference("n\(start)", "DELETE_SELF"))"#
                    return operation(.create, "n\(number)", fields: #"{"n":{"value":\#(number)}\#(held)}"#)
                })
        }
        return temporary
    }

    /// The statements that a look runs, and the steps in which SQLite does them.
    private func cost(
        _ temporary: TemporaryStore, _ body: (SQLConnection) throws -> Void
    ) throws -> (statements: [String], steps: [String]) {
        let texts = Statements()
        let engine = SQLiteEngine(onStatement: { sql in texts.all.withLock { $0.append(sql) } })
        let connection = try engine.opener.openForWriting(temporary.path)
        let cost = try connection.use { db in
            texts.all.withLock { $0.removeAll() }
            try body(db)
            let statements = texts.all.withLock { $0 }
            // What is not bound is NULL.
            let steps = try statements.flatMap { sql in try db.all("EXPLAIN QUERY PLAN " + sql) { $0.text(3) } }
            return (statements, steps)
        }
        try connection.close()
        return cost
    }

    /// A page of the console's table: the first, and one far behind.
    private func page(_ temporary: TemporaryStore, after marker: String?) throws -> (
        statements: [String], steps: [String], next: String?
    ) {
        let query = try Query(json(#"{"recordType":"Note"}"#), limits: Limits())
        let next = Mutex<String?>(nil)
        let (statements, steps) = try cost(temporary) { db in
            let page = try QueryRequest(
                zone: .notes, zoneWide: false, query: query, continuationMarker: marker, limit: 50, strict: false,
                caller: .alice, limits: Limits()
            ).run(
                db, catalog: temporary.store.records.catalog, roles: RoleMemory().reader(), secret: Self.secret)
            #expect(page.records.count == 50)
            next.withLock { $0 = page.continuationMarker }
        }
        return (statements, steps, next.withLock { $0 })
    }

    private static let secret = SymmetricKey(data: Array(repeating: UInt8(7), count: 32))

    @Test("The table's first page runs the same statements in a zone ten times as large")
    func table() async throws {
        let (small, large) = (try await filled(200), try await filled(2000))
        let (first, other) = (try page(small, after: nil), try page(large, after: nil))
        #expect(first.statements == other.statements && first.steps == other.steps)
        let next = try page(large, after: other.next)
        for steps in [other.steps, next.steps] {
            #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") }, "\(steps)")
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    @Test("Other types are counted up to a bound, by the index of their zone")
    func counts() async throws {
        let temporary = try await filled(300)
        let catalog = temporary.store.records.catalog
        let (_, steps) = try cost(temporary) { db in
            let counts = try Browsing.recordCounts(in: .notes, for: .user(recordName: "_alice"), most: 200, catalog, db)
            #expect(counts == [StoredTypeCount(type: "Note", count: 200, isCut: true)])
        }
        #expect(steps.contains { $0.hasPrefix("SEARCH") && $0.contains("(zone=?)") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN values") }, "\(steps)")
    }

    @Test("A record's surroundings are found by indexes and counted up to a bound")
    func surroundings() async throws {
        let temporary = try await filled(400)
        let (_, steps) = try cost(temporary) { db in
            let around = try Browsing.surroundings(of: "n0", in: .notes, most: 100, db)
            #expect(around?.laterChanges == 101)
            #expect(around?.goesAlong.count == 99 && around?.share == nil)
        }
        #expect(
            !steps.contains { $0.hasPrefix("SCAN r") || $0.hasPrefix("SCAN l") || $0.hasPrefix("SCAN s") }, "\(steps)")
        let (_, _) = try cost(temporary) { db in
            let last = try Browsing.surroundings(of: "n399", in: .notes, most: 100, db)
            #expect(last?.laterChanges == 0 && last?.goesAlong == [])
            #expect(try Browsing.surroundings(of: "none", in: .notes, most: 100, db) == nil)
        }
    }
}

/// What is deleted along with a record, on either engine.
@Suite(.timeLimit(.minutes(5)))
struct GoingAlongTests {
    @Test("A record's cascade is found completely, even in a circle")
    func circle() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([
            operation(.create, "a", fields: #"{"to":\#(reference("c", "DELETE_SELF"))}"#),
            operation(.create, "b", fields: #"{"to":\#(reference("a", "DELETE_SELF"))}"#),
            operation(.create, "c", fields: #"{"to":\#(reference("b", "DELETE_SELF"))}"#),
        ])
        let around = try await temporary.store.browsing.surroundings(of: "a", in: .notes, most: 10)
        #expect(Set(around?.goesAlong ?? []) == ["b", "c"])
    }
}
