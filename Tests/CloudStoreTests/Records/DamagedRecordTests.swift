import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A record whose stored bytes are no JSON can be replaced as a whole and deleted.
@Suite(.timeLimit(.minutes(5)))
struct DamagedRecordTests {
    /// The record `bad` with words, a list, a parent and a child of its own, damaged.
    private func damaged(_ name: String = "bad") async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        try await store.schema.apply("RECORD TYPE Note (s STRING QUERYABLE SEARCHABLE, l LIST<STRING> QUERYABLE);")
        let fields = #"{"s":{"value":"red fox"},"l":{"value":["x"]}}"#
        let saved = try await store.modify([
            operation(.create, "top"), operation(.create, "bad", fields: fields, more: parent("top")),
            operation(.create, "child", fields: #"{"s":{"value":"red"}}"#, more: parent("bad")),
        ])
        #expect(saved.errors.allSatisfy { $0 == nil })
        temporary.clock.pass(milliseconds: 1_000)
        try temporary.replace(#"{"recordName""#, by: #"["recordName""#, inBodyOf: name)
        await #expect(throws: ServerError.damagedRecord) { try await store.record(name) }
        return temporary
    }

    private func found(_ word: String, _ store: EnvironmentStore) async throws -> [String] {
        try await store.query(
            #"{"recordType":"Note","filterBy":[\#(filter("s", #""\#(word)""#, "CONTAINS_ALL_TOKENS"))]}"#
        ).names
    }

    @Test("forceReplace rewrites a damaged record and keeps its creator, time and position")
    func replaced() async throws {
        let temporary = try await damaged()
        let store = temporary.store
        let token = try await store.zones.changes(owner: "_alice", syncToken: nil, limit: 10).syncToken
        let refused = try await store.modify([operation(.forceUpdate, "bad", fields: #"{"s":{"value":"blue"}}"#)])
        #expect(refused.error()?.reason.contains("forceReplace") == true)
        let result = try await store.modify(
            [operation(.forceReplace, "bad", fields: #"{"s":{"value":"blue"}}"#, more: parent("top"))], caller: .alice)
        #expect(result.error() == nil)
        let record = try await store.record("bad")
        #expect(record.field("s") == .string("blue") && record.field("l") == nil)
        let made = record["created"]?.object
        #expect(made?["userRecordName"] == .string("_alice"))
        #expect(made?["timestamp"]?.integer == record["modified"]?.object?["timestamp"]?.integer.map { $0 - 1_000 })
        #expect(record["parent"]?.object?["recordName"] == .string("top"))
        #expect(try await found("blue", store) == ["bad"])
        #expect(try await found("fox", store) == [])
        #expect(try await found("red", store) == ["child"])
        #expect(try await temporary.count("elements") == 0)
        #expect(try await store.zones.changes(owner: "_alice", syncToken: token, limit: 10).zones.count == 1)
        #expect(try await store.changes().names == ["top", "child", "bad"])
        let stored = try await temporary.column("SELECT SUM(length(body)) FROM records WHERE record_type IS NOT NULL")
        #expect(try await String(store.users.usage(owner: nil).bytes) == stored[0])
        try await store.close()
    }

    @Test("A damaged record can be deleted, and subscriptions are notified") func deleted() async throws {
        let temporary = try await damaged()
        let store = temporary.store
        try await store.listen()
        try await store.subscribe("q", querySubscription(on: #""delete""#, more: #""zoneID":{"zoneName":"Notes"}"#))
        let result = try await store.modify([operation(.forceDelete, "child"), operation(.forceDelete, "bad")])
        #expect(result.errors == [nil, nil])
        #expect(try await !store.news().isEmpty)
        #expect(try await store.changes().names == ["top"])
        #expect(try await temporary.tokens() == [])
        #expect(try await store.users.usage(owner: "_alice").records == 1)
        try await store.close()
    }

    @Test("A damaged root is deleted with its share") func root() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "root")])
        try await store.accept(store.share("root", with: ["_bob"]), as: "_bob")
        try temporary.replace(#"{"recordName""#, by: #"["recordName""#, inBodyOf: "root")
        // Replaced, it is still what is shared.
        #expect(try await store.modify([operation(.forceReplace, "root")]).error() == nil)
        #expect(try await store.record("root")["share"]?.object?["recordName"] == .string("share-root"))
        #expect(try await store.sees("_bob", "root"))
        try temporary.replace(#"{"recordName""#, by: #"["recordName""#, inBodyOf: "root")
        #expect(try await store.modify([operation(.forceDelete, "root")], atomic: true).error() == nil)
        #expect(try await store.zones.list(sharedWith: "_bob").isEmpty)
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        try await store.close()
    }

    @Test("The zone of a damaged record can be deleted") func zone() async throws {
        let temporary = try await damaged()
        _ = try await temporary.store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())[
            0
        ]
        .get()
        #expect(try await temporary.count("records") == 0)
        #expect(try await temporary.tokens() == [])
        try await temporary.store.close()
    }
}
