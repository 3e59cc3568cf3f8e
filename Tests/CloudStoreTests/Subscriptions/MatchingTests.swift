import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Conditions under which subscriptions fire (reference B §6.6).
struct MatchingTests {
    private static let inNotes = #""zoneID":{"zoneName":"Notes"}"#

    private func store() async throws -> EnvironmentStore {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([note("seed", 0)])
        try await store.listen()
        return store
    }

    private func note(_ name: String, _ value: Int, _ type: OperationType = .create) -> String {
        operation(type, name, fields: #"{"n":{"value":\#(value),"type":"INT64"},"s":{"value":"v\#(value)"}}"#)
    }

    /// On an update the new state counts, on a deletion the old one.
    @Test("A query subscription fires when a change makes the record match") func moves() async throws {
        let store = try await store()
        try await store.subscribe("s", querySubscription(filters: filter("n", "1"), more: Self.inNotes))
        _ = try await store.modify([note("a", 1), note("b", 2)])
        _ = try await store.modify([note("a", 2, .forceUpdate), note("b", 1, .forceUpdate)])
        _ = try await store.modify([operation(.forceDelete, "a"), operation(.forceDelete, "b")])
        #expect(try await store.news() == ["s+a", "s~b", "s-b"])
    }

    /// In a zone without a feed the row of a deleted record is free for the next.
    @Test("A record that reuses the row of a deleted one is a new record") func reusedRow() async throws {
        let store = try TemporaryStore().store
        _ = try await store.modify([note("a", 1)], zone: .world)
        try await store.subscribe("s", querySubscription(), user: "_bob", in: .public)
        try await store.listen(1, as: "_bob")
        _ = try await store.modify([operation(.forceDelete, "a"), note("b", 2)], zone: .world)
        #expect(try await store.news() == ["s-a", "s+b"])
    }

    /// The same record made anew is one change, whichever row it gets.
    @Test("A record deleted and created again in one batch is one change") func recreated() async throws {
        let store = try await store()
        try await store.subscribe("s", querySubscription(more: Self.inNotes))
        _ = try await store.modify([operation(.forceDelete, "seed"), note("b", 2), note("seed", 3)])
        #expect(try await store.news() == ["s+b", "s+seed"])
    }

    @Test("The client that writes gets no notification") func writingClient() async throws {
        let store = try await store()
        try await store.listen(2, client: "phone")
        try await store.listen(3, client: "desk")
        try await store.listen(4, as: "_bob", client: "phone")
        try await store.subscribe("s", zoneSubscription())
        try await store.subscribe("q", querySubscription(more: Self.inNotes))
        _ = try await store.modify([note("a", 1)], clientID: "phone")
        #expect(try await store.news(1) == ["q+a", "s"])
        #expect(try await store.news(2) == [])
        #expect(try await store.news(3) == ["q+a", "s"])
        #expect(try await store.news(4) == [])
    }

    /// Another user's client may call itself the same.
    @Test("Another user's client with the same clientId is notified") func sameClientID() async throws {
        let store = try TemporaryStore().store
        _ = try await store.modify([note("seed", 0)], zone: .world)
        try await store.subscribe("s", querySubscription(), user: "_bob", in: .public)
        try await store.listen(1, as: "_bob", client: "phone")
        _ = try await store.modify([note("a", 1)], zone: .world, clientID: "phone")
        #expect(try await store.news() == ["s+a"])
    }

    @Test("A subscription that fires once is deleted after its first notification") func firesOnce() async throws {
        let store = try await store()
        let once = querySubscription(more: Self.inNotes + #","firesOnce":true"#)
        try await store.subscribe("s", once)
        _ = try await store.modify([note("a", 1), note("b", 1)])
        #expect(try await store.news() == ["s+a"])
        #expect(try await store.subscriptionNames() == [])

        try await store.devices.remove(token: 1)
        try await store.listen(2, client: "desk")
        try await store.subscribe("s", once)
        _ = try await store.modify([note("c", 1)], clientID: "desk")
        #expect(try await store.subscriptionNames() == ["s"])
        _ = try await store.modify([operation(.forceDelete, "a"), operation(.forceDelete, "b")])
        #expect(try await store.news(2) == ["s-a"])
        #expect(try await store.subscriptionNames() == [])
    }

    @Test("All notifications of a change have the same id") func changeID() async throws {
        let store = try await store()
        try await store.subscribe("q1", querySubscription(more: Self.inNotes))
        try await store.subscribe("q2", querySubscription(filters: filter("n", "1"), more: #""zoneWide":true"#))
        try await store.subscribe("z", zoneSubscription())
        try await store.subscribe("d", databaseSubscription)
        _ = try await store.modify([note("a", 1)])
        let ids = try await store.messages().map { $0.object?["ck"]?.object?["nid"]?.string }
        #expect(ids.count == 4 && Set(ids).count == 1)
        _ = try await store.modify([note("b", 1), note("c", 1)])
        let later = try await store.messages().map { $0.object?["ck"]?.object?["nid"]?.string }
        #expect(later.count == 6 && Set(later).count == 2)
    }

    @Test("A refused batch sends no notification") func refusedBatch() async throws {
        let store = try await store()
        try await store.subscribe("q", querySubscription(more: Self.inNotes))
        try await store.subscribe("z", zoneSubscription())
        let refused = try await store.modify([note("a", 1), note("seed", 1)], atomic: true)
        #expect(refused.isAtomicFailure)
        #expect(try await store.news() == [])
        _ = try await store.modify([note("a", 1), note("seed", 1)], atomic: false)
        #expect(try await store.news() == ["q+a", "z"])
    }

    /// A batch that is not atomic runs again without the operation that turned out wrong.
    @Test("A request that is run again notifies once") func rerun() async throws {
        let store = try await store()
        try await store.subscribe("q", querySubscription(more: Self.inNotes))
        let dangling = operation(.create, "b", fields: #"{"r":\#(reference("nowhere", "VALIDATE"))}"#)
        let result = try await store.modify([note("a", 1), dangling])
        #expect(result.error(1)?.code == .validatingReferenceError)
        #expect(try await store.news() == ["q+a"])
    }

    /// Those that DELETE_SELF references take along are told of, too, each as it was.
    @Test("The deletions of a cascade fire subscriptions") func cascade() async throws {
        let store = try await store()
        _ = try await store.modify([
            note("a", 1), operation(.create, "b", type: "Leaf", fields: #"{"r":\#(reference("a", "DELETE_SELF"))}"#),
        ])
        let leaf = querySubscription("Leaf", filters: filter("r", #"{"recordName":"a"}"#), more: Self.inNotes)
        try await store.subscribe("s", leaf)
        _ = try await store.modify([operation(.forceDelete, "a")])
        #expect(try await store.news() == ["s-b"])
    }

    @Test("A database subscription fires for created and deleted zones") func zoneChanges() async throws {
        let store = try await store()
        try await store.subscribe("d", databaseSubscription)
        try await store.subscribe("z", zoneSubscription())
        let other = ZoneID(name: "Other", owner: "_alice")
        let phone = Requester(user: "_alice", clientID: "phone")
        try await store.listen(2, client: "phone")
        _ = try await store.zones.modify([.create(other)], by: phone, limits: Limits())
        #expect(try await store.news() == ["d"])
        _ = try await store.modify([note("a", 1)], zone: other)
        #expect(try await store.news() == ["d"])
        #expect(try await store.news(2) == ["d"])
        _ = try await store.zones.modify([.delete(.notes)], by: phone, limits: Limits())
        #expect(try await store.news() == ["d"])
        #expect(try await store.news(2) == [])
        #expect(try await store.subscriptionNames() == ["d"], "a zone takes its subscriptions along")
    }

    /// In the public database everybody's subscriptions meet everybody's writes, as far as they may read them.
    @Test("A user without permission to read is not notified") func unreadable() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.modify([note("seed", 0)], zone: .world)
        for (token, user) in [(1, "_alice"), (2, "_bob")] {
            try await store.listen(Int64(token), as: user)
            try await store.subscribe("s", querySubscription(), user: user, in: .public)
        }
        _ = try await store.modify([note("a", 1)], zone: .world)
        #expect(try await store.news(1) == ["s+a"])
        #expect(try await store.news(2) == ["s+a"])
        try temporary.grant([Grants.authenticated: [.create], Grants.creator: [.read, .write]], on: "Note")
        let reopened = try temporary.open()
        _ = try await reopened.modify([note("b", 1)], zone: .world)
        #expect(try await reopened.news(1) == ["s+b"])
        #expect(try await reopened.news(2) == [])
    }

    /// Subscriptions that zones of others have make no difference to one's own.
    @Test("Changes in one user's zones fire no other user's subscriptions") func otherUsers() async throws {
        let store = try await store()
        let bobs = ZoneID(name: "Notes", owner: "_bob")
        try await store.makeZone(bobs)
        try await store.subscribe("b", querySubscription(more: #""zoneWide":true"#), user: "_bob")
        try await store.listen(2, as: "_bob")
        _ = try await store.modify([note("a", 1)])
        #expect(try await store.news(2) == [])
    }
}
