import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudSQLite
@testable import CloudStore

/// Subscriptions that a change is not about cost it nothing, however many they are.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct SubscriptionCostTests {
    private static let many = 2_000
    /// Statements of one look: it is at records as written, so a savepoint begins and ends around it.
    private static let look = 3

    /// A traced writer to a public database with these subscriptions, and the database's store, which tests only read from.
    private func writer(
        _ subscriptions: [String], after preparing: (EnvironmentStore) async throws -> Void = { _ in }
    ) async throws -> (TemporaryStore, TracedWriter) {
        let temporary = try TemporaryStore()
        let fields = #"{"s":{"value":"x"},"i":{"value":1}}"#
        for type in ["Note", "Other"] {
            _ = try await temporary.store.modify([operation(.create, type, type: type, fields: fields)], zone: .world)
        }
        var limits = Limits()
        limits.subscriptions.similarPerUser = .max
        for start in stride(from: 0, to: subscriptions.count, by: Limits().subscriptions.perUser) {
            let some = subscriptions[start...].prefix(Limits().subscriptions.perUser).enumerated()
            let outcomes = try await temporary.store.subscribe(
                some.map { ("s\($0)", $1) }, user: "_u\(start)", in: .public, limits: limits)
            #expect(outcomes.allSatisfy { if case .saved = $0 { true } else { false } })
        }
        try await preparing(temporary.store)
        let writer = try TracedWriter(temporary.path)
        for number in 0..<2 {
            _ = try await writer.statements(of: [operation(.create, "w\(number)", fields: fields)], zone: .world)
        }
        return (temporary, writer)
    }

    private func statements(
        _ subscriptions: [String],
        of operations: [String] = [operation(.create, "new", fields: #"{"s":{"value":"mine"},"i":{"value":2}}"#)]
    ) async throws -> [String] {
        let (temporary, writer) = try await writer(subscriptions)
        let statements = try await writer.statements(of: operations, zone: .world)
        try writer.close()
        withExtendedLifetime(temporary) {}
        return statements
    }

    @Test("A write looks up no subscriptions of other types") func otherTypes() async throws {
        let others = Array(repeating: querySubscription("Other"), count: Self.many)
        #expect(try await statements(others) == statements([]))
    }

    /// One look into the index, whether there is one subscription to another value or thousands.
    @Test("A write looks up subscriptions to other values once") func otherValues() async throws {
        let texts = (0..<Self.many).map { querySubscription(filters: filter("s", "\"v\($0)\"")) }
        let many = try await statements(texts)
        #expect(many == (try await statements([texts[0]])))
        #expect(many.count == (try await statements([])).count + Self.look)
    }

    /// However many records a request brings.
    @Test("A batch looks up subscriptions once") func oneLookup() async throws {
        let texts = (0..<100).map { querySubscription(filters: filter("s", "\"v\($0)\"")) }
        let batch = (0..<20).map { operation(.create, "n\($0)", fields: #"{"s":{"value":"mine\#($0)"}}"#) }
        #expect(try await statements(texts, of: batch).count == statements([], of: batch).count + Self.look)
    }

    /// A statement for up to 64 messages, one for all devices of a change's subscribers, one to note each queue.
    @Test("The messages of a request are queued many at a time") func queueing() async throws {
        let users = 30
        let batch = (0..<10).map { operation(.create, "n\($0)", fields: #"{"s":{"value":"mine"}}"#) }
        let quiet = try await statements([], of: batch)
        let (temporary, writer) = try await writer([]) { store in
            for user in 0..<users {
                let text = querySubscription(filters: filter("s", "\"mine\""))
                try await store.subscribe("s", text, user: "_u\(user)", in: .public)
                try await store.listen(Int64(user), as: "_u\(user)")
            }
        }
        let told = try await writer.statements(of: batch, zone: .world)
        try writer.close()
        withExtendedLifetime(temporary) {}
        func count(_ words: String) -> Int {
            told.filter { $0 == words }.count - quiet.filter { $0 == words }.count
        }
        #expect(count("INSERT INTO") == 300 / 64 + 44 / 16 + 12 / 4)
        #expect(count("UPDATE devices") == users)
        #expect(count("SELECT \"user\",") == 1, "the devices")
        #expect(count("SELECT id,") == 2, "the creators of the records, and messages for many")
        #expect(count("SELECT 1") == batch.count, "the query that all of them ask")
        #expect(told.count <= quiet.count + users + 10 + batch.count + 6)
    }

    /// The cost of finding candidates, in rows of the index.
    @Test("Subscriptions that may match are found by an index", arguments: [ZoneID.world, .notes], [1, 3])
    func candidates(zone: ZoneID, records: Int) async throws {
        let temporary = try TemporaryStore()
        if zone.isCustom { try await temporary.store.makeZone() }
        _ = try await temporary.store.modify(
            [operation(.create, "a", fields: #"{"s":{"value":"x"}}"#)], zone: zone)
        let type = try #require(temporary.store.records.catalog.types["Note"])
        let field = try #require(type.fields["s"]?.id)
        let changes = (1...records).map {
            RecordChange(
                ChangedRecord(
                    reason: .create, id: Int64($0), name: "r\($0)", type: type, zone: zone, zoneRow: 1))
        }
        let steps = try explain(
            SubscriptionCandidates.statement(changes, fields: [-1, 0, field], SQLiteDialect().spelling), temporary)
        let index = zone == .world ? "subscriptions_public" : "subscriptions_private"
        #expect(steps.filter { $0.hasPrefix("SEARCH s USING INDEX \(index)") }.count == 3, "\(steps)")
        #expect(
            steps.filter { $0.hasPrefix("SEARCH s") && $0.contains("bucket_value=?") }.count == 2, "\(steps)")
        #expect(steps.filter { $0.hasPrefix("SEARCH v USING") }.count == 2, "\(steps)")
        #expect(!steps.contains { $0.contains("SCAN") && !$0.contains("json_each") }, "\(steps)")
    }

    private func explain(
        _ statement: (sql: String, values: [SQLValue]), _ temporary: TemporaryStore
    ) throws -> [String] {
        try temporary.read { db in
            var steps: [String] = []
            try db.each("EXPLAIN QUERY PLAN " + statement.sql, statement.values) {
                steps.append($0.text(3))
                return true
            }
            return steps
        }
    }
}
