import CloudModel
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// The removal of the parts of a person's data from an environment.
@Suite(.timeLimit(.minutes(5)))
struct PersonPartTests {
    @Test("All large zones of a person are removed") func largeZones() async throws {
        var pace = BuildPace()
        (pace.mostDeletedAtOnce, pace.batch, pace.slice) = (20, 10, .zero)
        let temporary = try TemporaryStore(pace: pace)
        let store = temporary.store
        try await store.makeZone()
        for zone in [.notes, .home] as [ZoneID] {
            let result = try await store.modify((0..<60).map { operation(.create, "r\($0)") }, zone: zone)
            #expect(result.errors.allSatisfy { $0 == nil })
        }
        for part in PersonPart.allCases { try await store.people.remove(part, of: "_alice", limits: Limits()) }
        #expect(try await store.people.footprint(of: "_alice").isEmpty)
        #expect(try await temporary.count("records") == 0)
        #expect(try await temporary.count("zones WHERE name = '\(ZoneID.defaultName)'") == 0)
        try await store.close()
    }

    @Test("A message for many devices of a person is removed with their belongings") func crowdMessage() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "first")])
        try await temporary.store.subscribe("s", querySubscription(more: #""zoneID":{"zoneName":"Notes"}"#))
        for token in 1...20 as ClosedRange<Int64> { try await temporary.store.listen(token) }
        try await temporary.store.close()
        let store = try temporary.open(awaited: { Set($0) })
        _ = try await store.modify([operation(.create, "a")])
        #expect(try await temporary.count("crowd_messages") == 1)
        try await store.people.remove(.belongings, of: "_alice", limits: Limits())
        for table in ["crowd_messages", "notifications"] { #expect(try await temporary.count(table) == 0) }
        try await store.close()
    }
}
