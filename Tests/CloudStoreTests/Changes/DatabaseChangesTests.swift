import CloudModel
import CloudStore
import TestStore
import Testing

/// The feed of changed zones (reference A §8.4).
struct DatabaseChangesTests {
    private func changed(
        _ store: EnvironmentStore, _ token: String?, limit: Int = 200, owner: String = "_alice"
    ) async throws -> (zones: [String], token: String, more: Bool) {
        let page = try await store.zones.changes(owner: owner, syncToken: token, limit: limit)
        return (page.zones.map { ($0.deleted ? "-" : "") + $0.zone.name }, page.syncToken, page.moreComing)
    }

    private func zone(_ name: String) -> ZoneID { ZoneID(name: name, owner: "_alice") }

    @Test("The database feed lists created, changed and deleted zones") func zones() async throws {
        let store = try TemporaryStore().store
        let empty = try await changed(store, nil)
        #expect(empty.zones == [] && !empty.more)
        for name in ["A", "B", "C"] { try await store.makeZone(zone(name)) }
        let first = try await changed(store, empty.token)
        #expect(first.zones == ["A", "B", "C"])
        _ = try await store.modify([operation(.create, "a")], zone: zone("A"))
        _ = try await store.zones.modify([.delete(zone("B"))], by: Requester(user: "_alice"), limits: Limits())
        _ = try await store.modify([operation(.create, "a")], zone: .home)
        let second = try await changed(store, first.token)
        #expect(second.zones == ["A", "-B"])
        #expect(try await changed(store, second.token).zones == [])
        #expect(try await changed(store, nil).zones == ["C", "A"])
        try await store.makeZone(zone("B"))
        #expect(try await changed(store, first.token).zones == ["A", "B"])
    }

    @Test("A failed batch changes no zone in the feed") func failedBatch() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let token = try await changed(store, nil).token
        _ = try await store.modify([operation(.create, "a"), operation(.update, "b", tag: "1")], atomic: true)
        #expect(try await changed(store, token).zones == [])
    }

    @Test("The pages of the database feed hold every zone once") func pages() async throws {
        let store = try TemporaryStore().store
        for number in 0..<7 { try await store.makeZone(zone("Z\(number)")) }
        var seen: [String] = []
        var token: String?
        var more = true
        while more {
            let page = try await changed(store, token, limit: 3)
            #expect(page.zones.count <= 3)
            seen += page.zones
            (token, more) = (page.token, page.more)
        }
        #expect(seen == (0..<7).map { "Z\($0)" })
    }

    @Test("A token is refused for another owner or another feed") func otherTokens() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let database = try await changed(store, nil).token
        let zone = try await store.changes().token
        for (token, owner) in [(database, "_bob"), (zone, "_alice"), ("", "_alice"), ("bm8=", "_alice")] {
            let error = await #expect(throws: ServerError.self) { try await changed(store, token, owner: owner) }
            #expect(error?.code == .badRequest)
            #expect(error?.reason.hasPrefix("Unknown sync continuation type") == true)
        }
    }
}
