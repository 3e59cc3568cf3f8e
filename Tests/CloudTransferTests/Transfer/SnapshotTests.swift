import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// The copy that an export is taken from.
@Suite(.timeLimit(.minutes(20)))
struct SnapshotTests {
    /// A server that has not come to it yet keeps what a schema change removed, for a while.
    @Test("An export holds no fields that the schema lacks") func removedFields() async throws {
        var pace = BuildPace.slow
        let gate = Gate()
        pace.pause = { await gate.wait() }
        let temporary = try TemporaryStore(pace: pace)
        let store = temporary.store
        try await store.makeZone()
        let fields = #"{"kept":{"value":"k"},"gone":{"value":"g"}}"#
        let result = try await store.modify(
            (0..<9).map { operation(.create, "r\($0)", fields: fields) }
                + (0..<9).map { operation(.create, "o\($0)", type: "Other", fields: fields) })
        #expect(result.errors.allSatisfy { $0 == nil })
        try await store.schema.apply("RECORD TYPE Note (kept STRING);")
        await gate.arrived()
        let stale =
            "SELECT count(*) FROM records WHERE record_type IS NOT NULL AND instr(body, \(ChosenEngine.bytes("gone"))) > 0"
        #expect(try await temporary.column(stale) == ["18"])

        let copy = temporary.path + "-copy"
        try EnvironmentSnapshot.take(of: temporary.path, as: copy, by: TestEngine(), now: Timestamp.now) { _ in }
        let snapshot = try EnvironmentSnapshot(path: copy, engine: TestEngine())
        let names = try snapshot.connection.read { db in
            #expect(try db.first(stale) { $0.integer(0) } == 0)
            return try db.all(
                "SELECT name FROM records WHERE record_type IS NOT NULL AND zone = 1 ORDER BY name"
            ) { $0.text(0) }
        }
        #expect(names == (0..<9).map { "r\($0)" })
        #expect(try await temporary.column(stale) == ["18"])
        gate.openForGood()
        await store.stored.work.finished()
        try await store.close()
    }

    /// It stays when the schema changes under it, and so it does when it moves.
    @Test("A subscription by a removed field is exported and imported") func removedField() async throws {
        let here = try MovingFixture()
        let source = try await here.accounts.containers.create(name: "source")
        try await here.with(source, .development) { (store) async throws in
            try await store.makeZone()
            _ = try await store.modify([operation(.create, "n", fields: #"{"a":{"value":"x"},"b":{"value":"x"}}"#)])
            try await store.subscribe("by b", querySubscription(filters: filter("b", #""x""#)))
            try await store.schema.apply("RECORD TYPE Note (a STRING);")
        }
        try await here.export(source, .development, to: "one")
        let target = try await here.accounts.containers.create(name: "target")
        try await here.take("one", into: target, .development)
        try await here.with(target, .development) { (store) async throws in
            #expect(try await store.subscriptionNames() == ["by b"])
        }
    }
}
