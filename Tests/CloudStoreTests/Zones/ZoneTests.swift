import CloudModel
import TestStore
import Testing

@testable import CloudStore

struct ZoneTests {
    private let other = ZoneID(name: "Other", owner: "_alice")

    @Test("The default zone always exists and is listed first") func defaultZone() async throws {
        let store = try TemporaryStore().store
        #expect(try await store.zones.list(owner: "_alice").map(\.zone) == [.home])
        try await store.makeZone(other)
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "a")], zone: .home)
        #expect(try await store.zones.list(owner: "_alice").map(\.zone.name) == ["_defaultZone", "Notes", "Other"])
        #expect(try await store.zones.list(owner: "_bob").count == 1)
        #expect(
            try await store.zones.list([.notes, ZoneID(name: "No", owner: "_alice"), .home], for: .alice).map {
                $0?.zone
            }
                == [
                    .notes, nil, .home,
                ])
    }

    @Test("Creating a zone twice succeeds") func createdTwice() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "a")])
        let again = try await store.zones.modify([.create(.notes)], by: Requester(user: "_alice"), limits: Limits())[0]
            .get()
        #expect(try await store.exists("a"))
        // Its token is the zone's point as it is now.
        #expect(again == (try await store.zones.list([.notes], for: .alice)[0]))
    }

    @Test(
        "Reserved and malformed zone names are refused",
        arguments: ["_defaultZone", "_mine", "", String(repeating: "z", count: 256), "a\u{0}b", "a\nb"])
    func refusedNames(name: String) async throws {
        let store = try TemporaryStore().store
        let result = try await store.zones.modify(
            [.create(ZoneID(name: name, owner: "_alice"))], by: Requester(user: "_alice"), limits: Limits())
        #expect(throws: ServerError.self) { try result[0].get() }
        #expect(try await store.zones.list(owner: "_alice").count == 1)
    }

    @Test(
        "Unusual zone names are accepted unchanged",
        arguments: [
            "../../etc/passwd", "'; DROP TABLE zones; --", "🏔️", String(repeating: "z", count: 255), "a/b", "\u{E9}",
        ])
    func unusualNames(name: String) async throws {
        let store = try TemporaryStore().store
        let zone = ZoneID(name: name, owner: "_alice")
        try await store.makeZone(zone)
        #expect(try await store.modify([operation(.create, name)], zone: zone).error() == nil)
        #expect(try await store.record(name, zone: zone)["recordName"] == .string(name))
        #expect(try await store.changes(zone: zone).names == [name])
    }

    /// Two spellings of é are two names, to the writer as to readers.
    @Test("Zone names are told apart by their bytes") func nameBytes() async throws {
        let store = try TemporaryStore().store
        let composed = ZoneID(name: "\u{E9}", owner: "_alice")
        let decomposed = ZoneID(name: "e\u{301}", owner: "_alice")
        try await store.makeZone(composed)
        try await store.makeZone(decomposed)
        _ = try await store.modify([operation(.create, "a")], zone: decomposed)
        #expect(try await !store.exists("a", zone: composed))
        #expect(try await store.exists("a", zone: decomposed))
    }

    @Test("Deleting a zone deletes its records, shares and subscriptions") func deletion() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let fields = #"{"r":\#(reference("a", "VALIDATE")),"l":{"value":["x"]}}"#
        _ = try await store.modify([operation(.create, "a"), operation(.create, "b", fields: fields)])
        let token = try await store.changes().token
        #expect(
            try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())[0].get()
                == nil)
        await #expect(throws: ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) {
            try await store.changes(since: token)
        }
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        let second = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())[0]
        #expect(throws: ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) { try second.get() }

        try await store.makeZone()
        #expect(try await store.changes().names == [])
        #expect(try await store.modify([operation(.create, "a")]).error() == nil)
        let refused = await #expect(throws: ServerError.self) { try await store.changes(since: token) }
        #expect(refused?.code == .badRequest)
    }

    @Test("The limit of zones counts custom zones only") func limit() async throws {
        let store = try TemporaryStore().store
        var limits = Limits()
        limits.zonesPerUser = 2
        _ = try await store.modify([operation(.create, "a")], zone: .home)
        let results = try await store.zones.modify(
            ["A", "B", "C"].map { .create(ZoneID(name: $0, owner: "_alice")) }, by: Requester(user: "_alice"),
            limits: limits)
        #expect(throws: Never.self) { try results[0].get() }
        #expect(throws: Never.self) { try results[1].get() }
        let error = #expect(throws: ServerError.self) { try results[2].get() }
        #expect(error?.reason == "there are 2 zones, at most 2 are allowed")
    }
}
