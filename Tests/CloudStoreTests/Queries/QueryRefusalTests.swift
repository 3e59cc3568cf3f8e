import CloudModel
import CloudStore
import TestStore
import Testing

/// Questions and markers that get no answer, and those at the edge that do.
struct QueryRefusalTests {
    private func filled() async throws -> EnvironmentStore {
        let store = try TemporaryStore().store
        for zone in QueryGenerator.zones {
            try await store.makeZone(zone)
            _ = try await store.modify(
                (0..<5).map {
                    operation(.create, "\(zone.name)\($0)", fields: #"{"i":{"value":\#($0)},"l":{"value":["x"]}}"#)
                },
                zone: zone)
        }
        return store
    }

    private let all = #"{"recordType":"Note"}"#

    @Test("A continuation marker is refused with another query") func otherQuery() async throws {
        let store = try await filled()
        let strange = try await filled()
        let marker = try #require(try await store.query(all, limit: 2).marker)
        #expect(Base64.decode(marker) != nil && marker.count % 4 == 0)
        let other = QueryGenerator.zones[1]
        let sorted = #"{"recordType":"Note","sortBy":{"fieldName":"i"}}"#
        let attempts: [(String, ZoneID, Bool, EnvironmentStore)] = [
            (sorted, .notes, false, store), (all, other, false, store), (all, .notes, true, store),
            (all, .notes, false, strange),
        ]
        for (text, zone, zoneWide, store) in attempts {
            let error = await #expect(throws: ServerError.self) {
                try await store.query(text, zone: zone, zoneWide: zoneWide, marker: marker)
            }
            #expect(error?.code == .badRequest)
        }
        for garbage in [
            "", "AAAA", "no base64", String(marker.dropLast(4)), (marker.first == "A" ? "B" : "A") + marker.dropFirst(),
        ] {
            let error = await #expect(throws: ServerError.self) { try await store.query(all, marker: garbage) }
            #expect(error?.code == .badRequest)
        }
    }

    /// In the public database, too, where everybody asks the same.
    @Test("A continuation marker is refused for another caller") func otherCaller() async throws {
        let store = try TemporaryStore().store
        _ = try await store.modify((0..<3).map { operation(.create, "n\($0)") }, zone: .world)
        for caller in [Caller.alice, .world] {
            let marker = try #require(try await store.query(all, zone: .world, limit: 2, caller: caller).marker)
            #expect(try await store.query(all, zone: .world, marker: marker, caller: caller).names == ["n2"])
            for other in [Caller.bob, .serverKey(recordName: "_key"), .alice, .world] where other != caller {
                let error = await #expect(throws: ServerError.self) {
                    try await store.query(all, zone: .world, marker: marker, caller: other)
                }
                #expect(error?.reason.hasPrefix("continuationMarker") == true)
            }
        }
    }

    @Test("Markers differ from page to page, and the last page has none")
    func distinctMarkers() async throws {
        let store = try await filled()
        var markers: [String] = []
        var marker: String?
        repeat {
            let page = try await store.query(all, marker: marker, limit: 1)
            marker = page.marker
            if let marker { markers.append(marker) }
        } while marker != nil
        #expect(markers.count == 4 && Set(markers).count == 4)
        #expect(try await store.query(all, limit: 5).marker == nil)
    }

    @Test("An unknown type or zone is refused, and an empty zone has no records") func unknown() async throws {
        let store = try await filled()
        await #expect(throws: ServerError(.notFound, "Did not find record type: No", .schema(.unknownType))) {
            try await store.query(#"{"recordType":"No"}"#)
        }
        await #expect(throws: ServerError(.zoneNotFound, "Zone not found", .missing(.zone))) {
            try await store.query(all, zone: ZoneID(name: "No", owner: "_alice"))
        }
        #expect(try await store.query(all, zone: .home).names == [])
        #expect(
            try await store.query(all, zone: ZoneID(name: "_defaultZone", owner: "_bob"), zoneWide: true).names == [])
        #expect(try await store.query(all, zone: .home, zoneWide: true).names.count == 10)
    }

    /// As many operands as are allowed are answered, whatever SQLite thinks of long expressions.
    @Test("A query with the most operands allowed is answered", arguments: Comparator.allCases.filter(\.takesMany))
    func mostOperands(comparator: Comparator) async throws {
        let store = try await filled()
        let values = (0..<1000).map { comparator.appliesToLists ? #""v\#($0)""# : "\($0)" }.joined(separator: ",")
        let field = comparator.appliesToLists ? "l" : "i"
        let filter =
            #"{"fieldName":"\#(field)","comparator":"\#(comparator.rawValue)","fieldValue":{"value":[\#(values)]}}"#
        let names = try await store.query(#"{"recordType":"Note","filterBy":[\#(filter),\#(filter)]}"#, zoneWide: true)
            .names
        #expect(names.count == ([.in, .notListContainsAny, .notListContainsAll].contains(comparator) ? 10 : 0))
    }

    @Test("Equal operands count once") func equalOperands() async throws {
        let store = try await filled()
        let filter = #"{"fieldName":"l","comparator":"LIST_CONTAINS_ALL","fieldValue":{"value":["x","x"]}}"#
        #expect(try await store.query(#"{"recordType":"Note","filterBy":\#(filter)}"#).names.count == 5)
    }

    @Test("A query with 100 filters is answered") func manyFilters() async throws {
        let store = try await filled()
        let filter = #"{"fieldName":"i","comparator":"GREATER_THAN","fieldValue":{"value":-1}}"#
        let filters = Array(repeating: filter, count: 100).joined(separator: ",")
        #expect(try await store.query(#"{"recordType":"Note","filterBy":[\#(filters)]}"#).names.count == 5)
    }

    /// Production has fewer indexes, not fewer answers.
    @Test(
        "A system field without an index is answered in both environments",
        arguments: [
            #"{"recordType":"Users"}"#,
            #"{"recordType":"Users","sortBy":{"fieldName":"createdTimestamp"}}"#,
            #"{"recordType":"Users","filterBy":{"systemFieldName":"recordName","comparator":"EQUALS","fieldValue":{"value":{"recordName":"_alice"}}}}"#,
            #"{"recordType":"Users","filterBy":{"systemFieldName":"parent","comparator":"IN","fieldValue":{"value":["x"]}}}"#,
            #"{"recordType":"Users","filterBy":{"fieldName":"roles","comparator":"LIST_CONTAINS","fieldValue":{"value":1}}}"#,
        ])
    func missingIndex(text: String) async throws {
        for environment in ContainerEnvironment.allCases {
            let store = try TemporaryStore(environment).store
            try await store.users.ensure("_alice")
            let names = try await store.query(text, zone: .world).names
            #expect(names == (text.contains("parent") || text.contains("roles") ? [] : ["_alice"]))
        }
    }

    /// Whole numbers and fractions that are equal are one value of a list.
    @Test("A list holds an integer and an equal fraction once") func equalNumbers() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let made = try await store.modify([operation(.create, "a", fields: #"{"l":{"value":[1,1.0,1,2.5]}}"#)])
        #expect(made.error() == nil)
        let filter = #"{"fieldName":"l","comparator":"LIST_CONTAINS_ALL","fieldValue":{"value":[1.0,1,2.5]}}"#
        #expect(try await store.query(#"{"recordType":"Note","filterBy":\#(filter)}"#).names == ["a"])
    }
}
