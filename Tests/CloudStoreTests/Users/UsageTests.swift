import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

struct UsageTests {
    /// The usage counted with each write equals that of a recount.
    @Test("The counted usage equals a recount", arguments: [1, 2, 3])
    func recount(seed: UInt64) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        var generator = SeededGenerator(seed: seed)
        let zones = [ZoneID.notes, .home, ZoneID(name: "Other", owner: "_alice")]
        let assets = [try await store.assets.upload("one"), try await store.assets.upload("two!")]
        try await store.makeZone()
        for _ in 0..<60 {
            if Int.random(in: 0..<12, using: &generator) == 0 {
                _ = try await store.zones.modify(
                    [.delete(zones[2]), .create(zones[2])], by: Requester(user: "_alice"), limits: Limits())
            }
            let zone = zones.randomElement(using: &generator) ?? .notes
            if zone == zones[2] { try await store.makeZone(zone) }
            let operations = Set((0..<4).map { _ in Int.random(in: 0..<12, using: &generator) }).sorted().map {
                number in
                Self.change(number, assets, &generator)
            }
            _ = try await store.modify(operations, zone: zone, atomic: Bool.random(using: &generator))
        }
        try await store.users.ensure("_alice")
        var sum = Usage()
        for owner in ["_alice", ZoneID.publicOwner] {
            let counted = try await store.users.usage(owner: owner)
            let recounted = try temporary.read { db in
                try db.first(
                    """
                    SELECT CAST(COALESCE(SUM(length(body)), 0) AS BIGINT), COUNT(*), CAST(COALESCE(SUM((
                        SELECT SUM(a.size) FROM record_assets ra JOIN assets a ON a.id = ra.asset
                        WHERE ra.record = r.id)), 0) AS BIGINT)
                    FROM records r JOIN zones z ON z.id = r.zone WHERE owner = ? AND record_type IS NOT NULL
                    """, .text(owner)
                ) { Usage(bytes: $0.integer(0), records: $0.integer(1), assets: $0.integer(2)) }
            }
            #expect(counted == recounted)
            sum.add(counted)
            sum.assets += counted.assets
        }
        #expect(try await store.users.usage(owner: nil) == sum)
    }

    private static func change(_ number: Int, _ assets: [Asset], _ generator: inout SeededGenerator) -> String {
        let type = [OperationType.forceUpdate, .forceReplace, .create, .forceDelete].randomElement(using: &generator)
        let target = Int.random(in: 0..<12, using: &generator)
        let text = String(repeating: "x", count: Int.random(in: 0..<40, using: &generator))
        let file = assets.randomElement(using: &generator).map { ",\(assetField($0).dropFirst().dropLast())" } ?? ""
        return operation(
            type ?? .create, "r\(number)",
            fields:
                #"{"t":{"value":"\#(text)"},"r":\#(reference("r\(target)", "DELETE_SELF"))\#(number % 2 == 0 ? file : "")}"#
        )
    }

    @Test("A user's record is created once and belongs to the user") func userRecord() async throws {
        let store = try TemporaryStore().store
        try await store.users.ensure("_alice")
        try await store.users.ensure("_alice")
        #expect(try await store.users.usage(owner: ZoneID.publicOwner).records == 1)
        let record = try await store.record("_alice", zone: .world, caller: .bob)
        #expect(record["recordType"]?.string == "Users")
        let nickname = #"{"nickname":{"value":"Al"}}"#
        let own = operation(.forceUpdate, "_alice", type: "Users", fields: nickname)
        #expect(try await store.modify([own], zone: .world, caller: .bob).error()?.code == .accessDenied)
        #expect(try await store.modify([own], zone: .world, caller: .alice).error() == nil)
        let deleted = try await store.modify([operation(.forceDelete, "_alice")], zone: .world)
        #expect(deleted.error()?.code == .accessDenied)
        let made = try await store.modify([operation(.create, "_carol", type: "Users")], zone: .world)
        #expect(made.error()?.code == .accessDenied)
    }

    @Test("Users read public records and write their own only") func otherUsers() async throws {
        let store = try TemporaryStore().store
        _ = try await store.modify([operation(.create, "a")], zone: .world)
        #expect(try await store.record("a", zone: .world, caller: .world)["recordName"] == .string("a"))
        let bobs = try await store.modify([operation(.forceUpdate, "a")], zone: .world, caller: .bob)
        #expect(bobs.error() == ServerError(.accessDenied, "WRITE operation not permitted", .share(.readOnly)))
        await #expect(
            throws: ServerError(.authenticationRequired, "request needs authorization", .credentials(.notSignedIn))
        ) {
            _ = try await store.modify([operation(.create, "b")], zone: .world, caller: .world)
        }
    }
}
