import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Database subscriptions to what others share (reference B §6.1, §9.9): a member is told of what they see.
struct SharedSubscriptionTests {
    /// Alice has two trees in a zone, of which the first is shared with Bob and Cleo.
    private func store() async throws -> (store: EnvironmentStore, guid: String) {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([
            operation(.create, "root"), operation(.create, "leaf", more: parent("root")), operation(.create, "other"),
        ])
        for (token, user) in [(1, "_bob"), (2, "_cleo"), (3, "_alice")] {
            try await store.listen(Int64(token), as: user, client: "client\(token)")
            try await store.subscribe("shared", databaseSubscription, user: user, in: .shared)
        }
        try await store.subscribe("own", zoneSubscription())
        let guid = try await store.share("root", with: ["_bob", "_cleo"])
        _ = try await store.accept(guid, as: "_bob")
        for token in 1...3 { _ = try await store.news(Int64(token)) }
        return (store, guid)
    }

    @Test("Members are notified of changes to records that they see") func members() async throws {
        let (store, _) = try await store()
        _ = try await store.modify([operation(.forceUpdate, "leaf")])
        #expect(try await store.news(1) == ["shared"])
        #expect(try await store.news(2) == [], "who has not accepted sees nothing")
        #expect(try await store.news(3) == ["own"])
        _ = try await store.modify([operation(.forceUpdate, "other")])
        #expect(try await store.news(1) == [])
        _ = try await store.modify([operation(.forceUpdate, "other", more: parent("root"))])
        #expect(try await store.news(1) == ["shared"])
        _ = try await store.modify([operation(.forceUpdate, "other", more: parent(nil))])
        #expect(try await store.news(1) == ["shared"])
        _ = try await store.modify([operation(.forceDelete, "leaf")])
        #expect(try await store.news(1) == ["shared"])
    }

    @Test("A member's write notifies the owner and other members") func memberWrites() async throws {
        let (store, guid) = try await store()
        _ = try await store.accept(guid, as: "_cleo")
        for token in 1...3 { _ = try await store.news(Int64(token)) }
        let result = try await store.modify([operation(.forceUpdate, "leaf")], caller: .bob, clientID: "client1")
        #expect(result.errors == [nil])
        #expect(try await store.news(1) == [])
        #expect(try await store.news(2) == ["shared"])
        #expect(try await store.news(3) == ["own"])
    }

    @Test("Gaining and losing a share notifies the member") func membership() async throws {
        let (store, guid) = try await store()
        _ = try await store.shares.accept(
            guid, as: Person(userRecordName: "_cleo"), knowsPassword: false, clientID: "client2", limits: Limits())
        #expect(try await store.news(1) == ["shared"], "the share record shows who is in it")
        #expect(try await store.news(2) == [], "the client that accepts knows")
        #expect(try await store.news(3) == ["own"])
        _ = try await store.shares.leave([.notes], as: "_cleo", clientID: nil, limits: Limits())
        #expect(try await store.news(2) == ["shared"])
        _ = try await store.modify([operation(.forceDelete, "share-root")], atomic: true)
        #expect(try await store.news(1) == ["shared"])
        #expect(try await store.news(2) == [])
        _ = try await store.modify([operation(.forceUpdate, "leaf")])
        #expect(try await store.news(1) == [])
    }

    @Test("Members of a zone-wide share are notified of every change") func zoneWide() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let guid = try await store.share(nil, with: ["_bob"])
        try await store.listen(1, as: "_bob")
        try await store.subscribe("shared", databaseSubscription, user: "_bob", in: .shared)
        _ = try await store.accept(guid, as: "_bob")
        #expect(try await store.news() == ["shared"])
        _ = try await store.modify([operation(.create, "any")])
        let messages = try await store.messages()
        let told = messages.first?.object?["ck"]?.object?["met"]?.object
        #expect(messages.count == 1 && told?["dbs"]?.integer == 3 && told?["zoid"]?.string == "_bob")
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        #expect(try await store.news() == ["shared"])
    }
}
