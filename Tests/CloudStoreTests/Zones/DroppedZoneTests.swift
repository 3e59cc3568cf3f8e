import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// A zone too large for one transaction is gone at once and emptied in portions, between the writes of others.
@Suite(.timeLimit(.minutes(5)))
struct DroppedZoneTests {
    private typealias Large = LargeDeletions

    private func records(_ count: Int) -> [String] {
        (0..<count).map { Large.record("b\($0)", on: $0 == 0 ? nil : "b\($0 / 2)") }
    }

    private func delete(_ store: EnvironmentStore) async throws {
        #expect(
            try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())[0].get()
                == nil)
    }

    @Test("A deleted zone disappears at once, and its record names are free") func atOnce() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(records(60))
        let token = try await store.changes(limit: 1_000).token
        let before = try await store.zones.changes(owner: "_alice", syncToken: nil, limit: 10)
        try await delete(store)
        #expect(try await store.zones.list(owner: "_alice").map(\.zone) == [.home])
        await #expect(throws: ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) {
            try await store.changes(since: token)
        }
        let found = try await store.zones.changes(owner: "_alice", syncToken: before.syncToken, limit: 10)
        #expect(found.zones.map(\.zone) == [.notes] && found.zones.map(\.deleted) == [true])
        // The zone again, with records of the same names.
        try await store.makeZone()
        try await large.save([Large.record("b0"), Large.record("b1", on: "b0")])
        #expect(try await store.changes().names == ["b0", "b1"])
        let counts = try await large.run("dropped_zones", counting: "records")
        #expect(counts.first == 62 && counts.last == 2)
        for (one, next) in zip(counts, counts.dropFirst()) { #expect(one - next <= Large.portion) }
        #expect(try await store.users.usage(owner: "_alice").records == 2)
        #expect(try await large.temporary.count("elements") == 2)
        #expect(try await large.temporary.count("record_references") == 1)
        #expect(try await large.temporary.tokens().count == 2)
        let news = try await store.zones.changes(owner: "_alice", syncToken: found.syncToken, limit: 10)
        #expect(news.zones.map(\.deleted) == [false])
        #expect(try await large.temporary.count("zones WHERE owner = '_alice'") == 1)
        let refused = await #expect(throws: ServerError.self) { try await store.changes(since: token) }
        #expect(refused?.code == .badRequest)
        try await store.close()
    }

    @Test("Emptying a zone, interrupted by a stop, continues at the next start") func interrupted() async throws {
        let large = try await Large()
        try await large.save(records(60))
        try await delete(large.store)
        await large.gate.arrived()
        for _ in 0..<2 { await large.gate.letOneThrough() }
        try await large.store.close()
        #expect(try await large.temporary.count("records") == 40)
        let store = try large.temporary.open()
        await store.stored.work.finished()
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        for table in Large.beside + ["records"] { #expect(try await large.temporary.count(table) == 0, "\(table)") }
        #expect(try await store.zones.list(owner: "_alice").map(\.zone) == [.home])
        try await store.close()
    }

    @Test("Members of a deleted zone's shares lose them at once, and their pages are gone") func shares() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(records(60))
        let guid = try await store.share("b0", with: ["_bob"])
        try await store.accept(guid, as: "_bob")
        let seen = try await store.zones.changes(sharedWith: "_bob", syncToken: nil, limit: 10)
        #expect(seen.zones.map(\.deleted) == [false])
        try await delete(store)
        let news = try await store.zones.changes(sharedWith: "_bob", syncToken: seen.syncToken, limit: 10)
        #expect(news.zones.map(\.zone) == [.notes] && news.zones.map(\.deleted) == [true])
        await #expect(throws: ServerError.self) { try await store.sees("_bob", "b0") }
        #expect(try large.temporary.read { try ShareTable.isStopped(guid, $0) })
        large.gate.openForGood()
        await store.stored.work.finished()
        for table in ["shares", "members", "departures", "losses", "share_links", "records"] {
            #expect(try await large.temporary.count(table) == 0, "\(table)")
        }
        try await store.close()
    }

    @Test("A request that deletes many zones empties only a few of them itself") func manyZones() async throws {
        let large = try await Large()
        let zones = (0..<6).map { ZoneID(name: "Z\($0)", owner: "_alice") }
        for zone in zones {
            try await large.store.makeZone(zone)
            try await large.save(records(8), zone: zone)
        }
        let results = try await large.store.zones.modify(
            zones.map { .delete($0) }, by: Requester(user: "_alice"), limits: Limits())
        for result in results { _ = try result.get() }
        #expect(try await large.temporary.count("records") == 4 * 8)
        #expect(try await large.run("dropped_zones", counting: "records").last == 0)
        #expect(try await large.store.users.usage(owner: "_alice") == Usage())
        try await large.store.close()
    }

    @Test("A reset replaces default zones at once and empties the old ones later") func reset() async throws {
        let large = try await Large()
        let store = large.store
        try await large.save(records(60), zone: .world)
        try await large.save(records(60))
        _ = try await store.schema.reset(to: SchemaDefinition())
        #expect(try await !store.exists("b0", zone: .world))
        try await large.save([operation(.create, "b0", fields: #"{"s":{"value":"new"}}"#)], zone: .world)
        large.gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.record("b0", zone: .world).field("s") == .string("new"))
        #expect(try await store.users.usage(owner: ZoneID.publicOwner).records == 1)
        #expect(try await large.temporary.count("records") == 1)
        #expect(try await large.temporary.tokens().allSatisfy { !$0.hasSuffix(":fox") })
        try await store.close()
    }

    @Test("A damaged record does not stop the emptying of its zone") func damaged() async throws {
        let large = try await Large()
        try await large.save(records(60))
        try large.temporary.replace(#"{"recordName""#, by: #"["recordName""#, inBodyOf: "b7")
        try await delete(large.store)
        large.gate.openForGood()
        await large.store.stored.work.finished()
        #expect(try await large.temporary.count("records") == 0)
        #expect(try await large.temporary.tokens() == [])
        try await large.store.close()
    }
}
