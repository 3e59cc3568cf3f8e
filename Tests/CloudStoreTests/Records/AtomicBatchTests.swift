import CloudModel
import CloudStore
import TestStore
import Testing

/// Batches that are stored whole or not at all, and batches that are not (reference A §4.4).
struct AtomicBatchTests {
    @Test("A failed operation undoes its whole atomic batch") func failure() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "old")])
        let version = store.records.catalog.version
        let token = try await store.changes().token
        let usage = try await store.users.usage(owner: nil)
        let result = try await store.modify(
            [
                operation(.create, "new", type: "Fresh", fields: #"{"f":{"value":"x"}}"#),
                operation(.forceDelete, "old"),
                operation(.create, "gone"),
                operation(.update, "old", tag: "zzz"),
            ], atomic: true)
        #expect(result.isAtomicFailure)
        #expect(result.errors.map { $0?.code } == [.atomicError, .atomicError, .atomicError, .notFound])
        #expect(try await store.exists("old"))
        #expect(try await !store.exists("new"))
        #expect(store.records.catalog.version == version)
        #expect(store.records.catalog.types["Fresh"] == nil)
        #expect(try await store.changes(since: token).names == [])
        #expect(try await store.users.usage(owner: nil) == usage)
        let retried = try await store.modify([operation(.create, "new", type: "Fresh", fields: #"{"f":{"value":1}}"#)])
        #expect(retried.error() == nil)
    }

    @Test("A failed operation leaves the others alone in a batch that is not atomic")
    func notAtomic() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let result = try await store.modify([
            operation(.create, "a"), operation(.update, "nope", tag: "1"), operation(.create, "b"),
        ])
        #expect(!result.isAtomicFailure)
        #expect(result.errors.map { $0?.code } == [nil, .notFound, nil])
        #expect(try await store.changes().names == ["a", "b"])
    }

    /// A refused operation leaves nothing behind, not even the schema it would have needed.
    @Test(
        "A refused operation adds nothing to the schema",
        arguments: [
            operation(
                .create, "x", type: "Fresh", fields: #"{"f":{"value":"\#(String(repeating: "y", count: 2000))"}}"#),
            operation(.create, "x", type: "Fresh", more: #""parent":{"recordName":"x"}"#),
        ])
    func schemaGrowth(refused: String) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var limits = Limits()
        limits.recordBytes = 1000
        let result = try await store.modify(
            [operation(.create, "a"), refused, operation(.create, "b")], limits: limits)
        #expect(result.errors.map { $0?.code } == [nil, .badRequest, nil])
        #expect(store.records.catalog.types["Fresh"] == nil)
        #expect(try await store.exists("b"))
    }

    @Test("A record over the limit is refused with both numbers") func largeRecord() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var limits = Limits()
        limits.recordBytes = 100
        let fields = #"{"f":{"value":"\#(String(repeating: "y", count: 100))"}}"#
        let error = try await store.modify([operation(.create, "a", fields: fields)], limits: limits).error()
        #expect(error?.code == .badRequest)
        #expect(error?.reason == "record has 134 bytes of fields, at most 100 are allowed")
        _ = try await store.modify([operation(.create, "b", fields: #"{"f":{"value":"y"}}"#)], limits: limits)
        let grown = #"{"g":{"value":"\#(String(repeating: "y", count: 60))"}}"#
        let merged = try await store.modify([operation(.forceUpdate, "b", fields: grown)], limits: limits)
        #expect(merged.error()?.reason.contains("at most 100") == true)
    }

    @Test("A missing zone fails the whole request") func missingZone() async throws {
        let store = try TemporaryStore().store
        await #expect(throws: ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) {
            _ = try await store.modify([operation(.create, "a")])
        }
        #expect(try await store.modify([operation(.create, "a")], zone: .home).error() == nil)
    }
}
