import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// NEAR and sorting by distance, through all that happens to a record (reference A §5.3, §5.5).
struct NearTests {
    private func place(_ latitude: Double, _ longitude: Double) -> String {
        #"{"latitude":\#(latitude),"longitude":\#(longitude)}"#
    }

    private func record(_ name: String, _ latitude: Double, _ longitude: Double, zone: ZoneID = .notes) -> String {
        operation(
            .forceReplace, name, fields: #"{"at":{"value":\#(place(latitude, longitude))},"s":{"value":"\#(name)"}}"#)
    }

    private func near(_ latitude: Double, _ longitude: Double, within distance: Double) -> String {
        #"{"fieldName":"at","comparator":"NEAR","distance":\#(distance),"fieldValue":{"value":\#(place(latitude, longitude)),"type":"LOCATION"}}"#
    }

    private func query(
        _ filters: [String] = [], from origin: (Double, Double)? = nil, ascending: Bool = true, more: String = ""
    ) -> String {
        let sort = origin.map {
            #","sortBy":[{"fieldName":"at","ascending":\#(ascending),"relativeLocation":\#(place($0.0, $0.1))}\#(more)]"#
        }
        return #"{"recordType":"Note","filterBy":[\#(filters.joined(separator: ","))]\#(sort ?? "")}"#
    }

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let result = try await temporary.store.modify([
            record("null", 0, 0), record("east", 0, 179.99), record("west", 0, -179.99), record("line", 0, 180),
            record("north", 89.99, 10), record("north2", 89.99, -170), record("pole", 90, 0), record("south", -90, 33),
            record("frankfurt", 50.0333, 8.5706), record("hahn", 49.9487, 7.2639),
            operation(.create, "nowhere", fields: #"{"s":{"value":"x"}}"#),
        ])
        #expect(result.errors.allSatisfy { $0 == nil })
        return temporary
    }

    @Test(
        "NEAR finds the records within its radius",
        arguments: [
            ((0.0, 180.0), 2_000.0, ["east", "line", "west"]), ((0, -180), 2_000, ["east", "line", "west"]),
            ((0, 179.99), 1_200, ["east", "line"]), ((0, 180), 0, ["line"]), ((0, -180), 0, ["line"]),
            ((90, 45), 1_200, ["north", "north2", "pole"]), ((89.99, 10), 1_200, ["north", "pole"]),
            ((89.99, 10), 2_300, ["north", "north2", "pole"]), ((-90, 0), 1, ["south"]),
            ((50, 8.5), 10_000, ["frankfurt"]), ((50, 8.5), 100_000, ["frankfurt", "hahn"]),
            (
                (50, 8.5), 1e9,
                ["east", "frankfurt", "hahn", "line", "north", "north2", "null", "pole", "south", "west"]
            ),
            ((10, 10), 5, []),
        ])
    func radius(center: (Double, Double), distance: Double, names: [String]) async throws {
        let store = try await filled().store
        let text = query([near(center.0, center.1, within: distance)])
        #expect(try await store.query(text).names.sorted() == names)
        #expect(try await store.query(text, zoneWide: true).names.sorted() == names)
        let nearest = query([near(center.0, center.1, within: distance)], from: center)
        #expect(try await store.query(nearest).names.sorted() == names)
    }

    @Test("Sorting by distance puts the nearest first and records without a position last", arguments: [1, 2, 3, 100])
    func nearestFirst(limit: Int) async throws {
        let store = try await filled().store
        let names = try await store.pages(query(from: (50, 8)), limit: limit).flatMap(\.self)
        #expect(
            names == [
                "frankfurt", "hahn", "pole", "north", "north2", "null", "line", "west", "east", "south", "nowhere",
            ]
                || Array(names.prefix(2)) == ["frankfurt", "hahn"])
        #expect(names.count == 11 && names.last == "nowhere")
        let back = try await store.pages(query(from: (50, 8), ascending: false), limit: limit).flatMap(\.self)
        #expect(back == names.reversed())
        #expect(back.first == "nowhere")
    }

    @Test("Positions are indexed and removed with their record") func positions() async throws {
        let temporary = try await filled()
        let store = temporary.store
        _ = try await store.modify([record("frankfurt", 10, 10)])
        #expect(try await store.query(query([near(50, 8.5, within: 100_000)])).names == ["hahn"])
        #expect(try await store.query(query([near(10, 10, within: 0)])).names == ["frankfurt"])
        _ = try await store.modify([operation(.forceUpdate, "frankfurt", fields: #"{"at":{"value":null}}"#)])
        #expect(try await store.query(query([near(10, 10, within: 1)])).names == [])
        _ = try await store.modify([operation(.forceDelete, "hahn")])
        #expect(try await store.query(query([near(50, 8.5, within: 100_000)])).names == [])
        #expect(try await temporary.count("locations") == 8)
        if !ChosenEngine.isPostgres { #expect(try await temporary.count("locations_tree") == 8) }
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        #expect(try await temporary.count("locations") == 0)
        if !ChosenEngine.isPostgres { #expect(try await temporary.count("locations_tree") == 0) }
    }

    @Test("A subscription with NEAR fires for records within the radius") func subscriptions() async throws {
        let store = try await filled().store
        try await store.listen()
        try await store.subscribe(
            "s", querySubscription(filters: near(0, 180, within: 5_000), more: #""zoneWide":true"#))
        _ = try await store.modify([record("x", 0.01, -179.99), record("y", 0.1, -179.99), record("east", 1, 1)])
        #expect(try await store.news() == ["s+x"])
        _ = try await store.modify([operation(.forceDelete, "x"), operation(.forceDelete, "y"), record("z", 0, 180)])
        #expect(try await store.news().sorted() == ["s+z", "s-x"])
    }

    /// A file from before words and places were kept tells them once it is opened.
    @Test("Positions of an older file are indexed when it is opened") func olderFile() async throws {
        let temporary = try await filled()
        try await temporary.store.close()
        try temporary.takeBackNames()
        try await temporary.execute(
            """
            DROP TABLE words; DROP TABLE text_sets; DROP TABLE positions; DROP TABLE IF EXISTS positions_tree;
            ALTER TABLE records DROP COLUMN text_set;
            UPDATE records SET links = links & ~4;
            UPDATE fields SET indexes = '' WHERE kind = 'LOCATION';
            """)
        try temporary.forgetMigration("8 words and places")
        let reopened = try temporary.open()
        #expect(try await reopened.query(query([near(50, 8.5, within: 100_000)])).names == ["frankfurt", "hahn"])
        let words = #"{"fieldName":"s","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"FRANKFURT x"}}"#
        #expect(try await reopened.query(query([words])).names == ["frankfurt", "nowhere"])
        #expect(reopened.records.catalog.types["Note"]?.fields["at"]?.indexes == [.queryable, .sortable])
        _ = try await reopened.modify([operation(.forceDelete, "frankfurt")])
        #expect(try await reopened.query(query([words])).names == ["nowhere"])
        #expect(try await temporary.count("locations") == 9)
    }
}
