import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// The change feed of members in a zone that is not theirs (reference B §9.9).
struct SharedFeedTests {
    /// Two trees, a → a1 → a2 and b → b1, and a record beside them.
    private func trees() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([
            operation(.create, "a"), operation(.create, "a2", more: parent("a1")),
            operation(.create, "a1", more: parent("a")), operation(.create, "b"),
            operation(.create, "b1", more: parent("b")), operation(.create, "c"),
        ])
        return temporary
    }

    @Test("A second share of a zone appears in the member's feed whole") func secondShare() async throws {
        let temporary = try await trees()
        let store = temporary.store
        let first = try await store.share("a", with: ["_bob"])
        let second = try await store.share("b", with: ["_bob"])
        try await store.accept(first, as: "_bob")
        let one = try await store.news("_bob", limit: 1)
        #expect(Set(one.names) == ["a", "a1", "a2", "share-a"])
        #expect(one.names.count == 4)
        try await store.accept(second, as: "_bob")
        let two = try await store.news("_bob", since: one.token, limit: 1)
        #expect(Set(two.names) == ["b", "b1", "share-b"])
        let all = try await store.news("_bob", limit: 2)
        #expect(Set(all.names) == ["a", "a1", "a2", "share-a", "b", "b1", "share-b"])
        #expect(try await store.news("_bob", since: all.token).names == [])
    }

    @Test("When one of two shares ends, the feed reports its records as deleted and keeps the other share's")
    func endedShare() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        try await store.accept(try await store.share("b", with: ["_bob"]), as: "_bob")
        let before = try await store.news("_bob")
        _ = try await store.modify([operation(.forceDelete, "share-b", type: nil)])
        let after = try await store.news("_bob", since: before.token, limit: 1)
        #expect(Set(after.names) == ["-b", "-b1", "-share-b"])
        #expect(try await store.sees("_bob", "a2"))
        #expect(try await !store.sees("_bob", "b1"))
    }

    /// A record that left the share before the share was lost must be told as gone all the same.
    @Test("Records that left a share before the member lost it are reported as deleted")
    func leftEarlier() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        try await store.accept(try await store.share("b", with: ["_bob"]), as: "_bob")
        let before = try await store.news("_bob")
        _ = try await store.modify([operation(.forceUpdate, "b1", more: parent(nil))])
        _ = try await store.modify([operation(.forceUpdate, "a2", more: parent("b"))])
        _ = try await store.modify([operation(.forceUpdate, "a2", more: parent("a"))])
        _ = try await store.modify(
            [operation(.forceDelete, "share-b", type: nil)], caller: .bob)
        let after = try await store.news("_bob", since: before.token)
        #expect(after.names.last != "-a2")
        #expect(Set(after.names).isSuperset(of: ["-b", "-b1", "-share-b", "a2"]))
        #expect(try await store.sees("_bob", "a2"))
    }

    @Test("A subtree moved to another share leaves one member's feed and enters the other's")
    func movedTree() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob", "_cleo"]), as: "_bob")
        let second = try await store.share("b", with: ["_bob", "_cleo"])
        try await store.accept(second, as: "_bob")
        try await store.accept(second, as: "_cleo")
        let bob = try await store.news("_bob").token
        let cleo = try await store.news("_cleo").token
        _ = try await store.modify([operation(.forceUpdate, "a1", more: parent("b"))])
        #expect(
            try await store.news("_bob", since: bob, limit: 1).names.filter { $0.hasSuffix("a2") } == ["-a2", "a2"])
        #expect(try await Set(store.news("_cleo", since: cleo).names) == ["a1", "a2"])
        #expect(try await store.sees("_cleo", "a2"))
    }

    @Test("A token from before a member left and rejoined is refused") func earlierMembership() async throws {
        let temporary = try await trees()
        let store = temporary.store
        let guid = try await store.share("a", with: ["_bob"], permission: "NONE")
        try await store.accept(guid, as: "_bob")
        let token = try await store.news("_bob").token
        _ = try await store.modify([operation(.forceDelete, "share-a", type: nil)])
        let again = try await store.share("a", as: "again", with: ["_bob"])
        #expect(again == guid)
        try await store.accept(again, as: "_bob")
        let error = await #expect(throws: ServerError.self) { try await store.news("_bob", since: token) }
        #expect(error?.code == .badRequest)
        #expect(try await Set(store.news("_bob").names) == ["a", "a1", "a2", "again"])
    }

    @Test("The owner's token is refused in the shared database") func ownersToken() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        let token = try await store.changes().token
        await #expect(throws: ServerError.self) { try await store.news("_bob", since: token) }
    }

    /// A circle hangs under no root, so nobody sees it, and nothing runs in it for ever.
    @Test("A circle of parents is visible to no member") func circles() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        let token = try await store.news("_bob").token
        _ = try await store.modify([operation(.forceUpdate, "a1", more: parent("a2"))])
        #expect(try await Set(store.news("_bob", since: token).names) == ["-a1", "-a2"])
        _ = try await store.modify([
            operation(.forceUpdate, "a1", more: parent("a")), operation(.forceUpdate, "a", more: parent("a2")),
        ])
        #expect(try await store.sees("_bob", "a2"))
        _ = try await store.modify([operation(.forceDelete, "share-a", type: nil)])
        _ = try await store.modify([
            operation(.create, "x", more: parent("y")), operation(.create, "y", more: parent("x")),
        ])
        try await store.share("x", with: ["_bob"])
    }

    @Test("A tree of many levels is shared whole") func deepTrees() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "0")])
        for start in stride(from: 1, to: 1_000, by: 100) {
            _ = try await store.modify(
                (start..<min(start + 100, 1_000)).map {
                    operation(.create, "\($0)", more: parent("\($0 - 1)"))
                })
        }
        try await store.accept(try await store.share("0", with: ["_bob"]), as: "_bob")
        let news = try await store.news("_bob")
        #expect(Set(news.names).count == 1_001)
        _ = try await store.modify([operation(.forceUpdate, "500", more: parent(nil))])
        #expect(try await store.news("_bob", since: news.token).names.count == 500)
    }

    @Test("A deleted name reused outside the share is a deletion in the member's feed")
    func reusedName() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        let token = try await store.news("_bob").token
        _ = try await store.modify([operation(.forceDelete, "a2", type: nil)])
        _ = try await store.modify([operation(.create, "a2")])
        #expect(try await store.news("_bob", since: token).names == ["-a2"])
        #expect(try await !store.sees("_bob", "a2"))
        _ = try await store.modify([operation(.forceDelete, "a2", type: nil)])
        _ = try await store.modify([operation(.create, "a2", more: parent("a1"))])
        #expect(try await store.news("_bob", since: token).names.last == "a2")
    }

    @Test("The shared database's feed changes only with records that the member sees")
    func databaseFeed() async throws {
        let temporary = try await trees()
        let store = temporary.store
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        let first = try await store.zones.changes(sharedWith: "_bob", syncToken: nil, limit: 10)
        #expect(first.zones.map(\.zone) == [.notes])
        let zoneToken = try await store.news("_bob").token
        _ = try await store.modify([operation(.forceUpdate, "c"), operation(.create, "hidden")])
        let second = try await store.zones.changes(sharedWith: "_bob", syncToken: first.syncToken, limit: 10)
        #expect(second.zones.isEmpty)
        #expect(second.syncToken == first.syncToken)
        #expect(try await store.news("_bob", since: zoneToken).token == zoneToken)
        _ = try await store.modify([operation(.forceUpdate, "a2")])
        let third = try await store.zones.changes(sharedWith: "_bob", syncToken: second.syncToken, limit: 10)
        #expect(third.zones.map(\.deleted) == [false])
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        let fourth = try await store.zones.changes(sharedWith: "_bob", syncToken: third.syncToken, limit: 10)
        #expect(fourth.zones.map(\.deleted) == [true])
        try await store.makeZone()
        let again = try await store.zones.changes(sharedWith: "_bob", syncToken: third.syncToken, limit: 10)
        #expect(again.zones.map(\.deleted) == [true])
        #expect(try await store.zones.list(sharedWith: "_bob").isEmpty)
    }

    @Test("A zone-wide share's feed has every record of the zone") func zoneWide() async throws {
        let temporary = try await trees()
        let store = temporary.store
        let guid = try await store.share(nil, with: ["_bob"])
        try await store.accept(guid, as: "_bob")
        let all = try await store.news("_bob", limit: 2)
        #expect(Set(all.names) == ["a", "a1", "a2", "b", "b1", "c", ShareName.zoneWide])
        _ = try await store.modify([operation(.forceDelete, "c", type: nil), operation(.create, "d")], caller: .bob)
        #expect(try await store.news("_bob", since: all.token).names == ["-c", "d"])
        #expect(
            try await store.shares.leave([.notes, .home], as: "_bob", clientID: nil, limits: Limits()) == [true, false])
        #expect(try await store.zones.list(sharedWith: "_bob").isEmpty)
        _ = try await store.modify([operation(.forceDelete, ShareName.zoneWide, type: nil)])
        #expect(try await store.share(nil) == guid)
    }
}
