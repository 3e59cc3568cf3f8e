import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Every statement of a query goes through the index it was meant to, and never reads a whole table.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct QueryPlanTests {

    @Test(
        "Each query uses the intended index",
        arguments: [
            (#"{"recordType":"Note"}"#, "PRIMARY KEY"),
            (#"{"recordType":"Note","sortBy":{"fieldName":"s"}}"#, "values_2_s"),
            (#"{"recordType":"Note","sortBy":[{"fieldName":"i","ascending":false},{"fieldName":"s"}]}"#, "values_2_i"),
            (#"{"recordType":"Note","sortBy":{"systemFieldName":"createdTimestamp"}}"#, "values_2_created"),
            (#"{"recordType":"Note","filterBy":[\#(filter("s", "EQUALS", #""a""#))]}"#, "values_2_s"),
            (#"{"recordType":"Note","filterBy":[\#(filter("s", "BEGINS_WITH", #""a""#))]}"#, "values_2_s"),
            (#"{"recordType":"Note","filterBy":[\#(filter("i", "GREATER_THAN", "1"))]}"#, "values_2_i"),
            (#"{"recordType":"Note","filterBy":[\#(filter("i", "IN", "[1,2]"))]}"#, "values_2_i"),
            (#"{"recordType":"Note","filterBy":[\#(filter("r", "EQUALS", #"{"recordName":"x"}"#))]}"#, "values_2_r"),
            (#"{"recordType":"Note","filterBy":[\#(filter("___parent", "EQUALS", #""x""#))]}"#, "values_2_parent"),
            (#"{"recordType":"Note","filterBy":[\#(filter("___parent", "IN", #"["x","y"]"#))]}"#, "values_2_parent"),
            (
                #"{"recordType":"Note","filterBy":[\#(filter("___parent", "GREATER_THAN", #""x""#))]}"#,
                "values_2_parent"
            ),
            (#"{"recordType":"Note","filterBy":[\#(filter("ls", "LIST_CONTAINS", #""a""#))]}"#, "PRIMARY KEY"),
            (
                #"{"recordType":"Note","filterBy":[\#(filter("ls", "LIST_CONTAINS_ALL", #"["a","b"]"#))]}"#,
                "PRIMARY KEY"
            ),
            (#"{"recordType":"Note","filterBy":[\#(filter("i", "NOT_EQUALS", "1"))]}"#, "PRIMARY KEY"),
        ])
    func intendedIndex(text: String, index: String) async throws {
        let temporary = try await filled()
        _ = try await temporary.store.query(text)
        for (zoneWide, place) in [(false, false), (false, true), (true, false), (true, true)] {
            let steps = try explain(text, zoneWide: zoneWide, fromPlace: place, temporary)
            let name = named(index, in: temporary.store.records.catalog)
            #expect(steps.contains { $0.hasPrefix("SEARCH v ") && $0.contains(name) }, "\(steps)")
            #expect(
                !steps.contains { $0.hasPrefix("SCAN v") || $0.hasPrefix("SCAN r") || $0.hasPrefix("SCAN elements") },
                "\(steps)")
            #expect(steps.contains { $0.hasPrefix("SEARCH r USING INTEGER PRIMARY KEY") }, "\(steps)")
        }
    }

    /// Names are found by the index that every record is in, and the type's table tells which are of the type.
    @Test(
        "A query by record name uses the index of names of all types",
        arguments: [
            (#"{"recordType":"Note","filterBy":[\#(filter("___recordID", "EQUALS", #""1""#))]}"#, "zone=? AND name=?"),
            (
                #"{"recordType":"Note","filterBy":[\#(filter("___recordID", "IN", #"["1","2"]"#))]}"#,
                "zone=? AND name=?"
            ),
            (
                #"{"recordType":"Note","filterBy":[\#(filter("___recordID", "GREATER_THAN", #""1""#))]}"#,
                "zone=? AND name>?"
            ),
            (#"{"recordType":"Note","sortBy":{"fieldName":"___recordID"}}"#, "zone=?"),
            (#"{"recordType":"Note","sortBy":{"fieldName":"___recordID","ascending":false}}"#, "zone=?"),
        ])
    func names(text: String, bounds: String) async throws {
        let temporary = try await filled()
        for (zoneWide, place) in [(false, false), (false, true), (true, false), (true, true)] {
            let steps = try explain(text, zoneWide: zoneWide, fromPlace: place, temporary, thresholds: .low)
            // A place is a bound of its own.
            let bounds = place ? "zone=?" : bounds
            #expect(
                steps.contains { $0.hasPrefix("SEARCH n USING COVERING INDEX records_name (\(bounds)") }, "\(steps)")
            #expect(steps.contains { $0.hasPrefix("SEARCH v USING PRIMARY KEY (zone=? AND id=?)") }, "\(steps)")
            #expect(steps.contains { $0.hasPrefix("SEARCH r USING INTEGER PRIMARY KEY") }, "\(steps)")
            #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
            let isSorted = steps.contains { $0.contains("TEMP B-TREE") }
            #expect(!isSorted || zoneWide || text.contains("EQUALS"), "\(steps)")
        }
        #expect(try await temporary.indexes("Note") == [])
    }

    /// Few records are of the type here, so the names of others are not gone through.
    @Test(
        "A rare type's names are sorted instead of walked",
        arguments: [
            #"{"recordType":"Note","filterBy":[\#(filter("___recordID", "GREATER_THAN", #""1""#))]}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"___recordID"}}"#,
        ])
    func rareType(text: String) async throws {
        let temporary = try await filled()
        let steps = try explain(text, zoneWide: false, fromPlace: false, temporary)
        #expect(steps.contains { $0.hasPrefix("SEARCH v USING PRIMARY KEY (zone=?)") }, "\(steps)")
        #expect(!steps.contains { $0.contains("records_name") }, "\(steps)")
    }

    /// Words and places are found by their own indexes, and then the records by their ids.
    @Test(
        "Words and positions are found in indexes of their own",
        arguments: [
            (filter("w", "CONTAINS_ALL_TOKENS", #""fox""#), "SCAN w VIRTUAL TABLE INDEX", false),
            (filter("w", "CONTAINS_ALL_TOKENS", #""fox""#), "SCAN words VIRTUAL TABLE INDEX 0:M1", true),
            (near, "SCAN t VIRTUAL TABLE INDEX 2:", false), (near, "SCAN t VIRTUAL TABLE INDEX 2:", true),
        ])
    func wordsAndPositions(filter: String, step: String, zoneWide: Bool) async throws {
        let temporary = try await filled()
        _ = try await temporary.store.query(#"{"recordType":"Note","filterBy":[\#(filter)]}"#)
        for place in [false, true] {
            let steps = try explain(
                #"{"recordType":"Note","filterBy":[\#(filter)]}"#, zoneWide: zoneWide, fromPlace: place, temporary)
            #expect(steps.contains { $0.hasPrefix(step) }, "\(steps)")
            #expect(steps.contains { $0.hasPrefix("SEARCH v USING PRIMARY KEY (zone=? AND id=?)") }, "\(steps)")
            #expect(steps.contains { $0.hasPrefix("SEARCH r USING INTEGER PRIMARY KEY") }, "\(steps)")
            #expect(!steps.contains { $0.hasPrefix("SCAN v ") || $0.hasPrefix("SCAN p") }, "\(steps)")
        }
    }

    /// The tree of positions leads, both ways and on every page.
    @Test("A sort by distance walks rings", arguments: [true, false])
    func distances(ascending: Bool) async throws {
        let temporary = try await filled()
        let text =
            #"{"recordType":"Note","sortBy":{"fieldName":"p","ascending":\#(ascending),"relativeLocation":{"latitude":1,"longitude":2}}}"#
        for (zoneWide, place) in [(false, false), (true, false), (false, true)] {
            let steps = try explain(text, zoneWide: zoneWide, fromPlace: place, temporary)
            let rings = steps.filter { $0.hasPrefix("SCAN t VIRTUAL TABLE INDEX 2:") }.count
            #expect(rings > 10, "\(steps)")
            #expect(steps.filter { $0.hasPrefix("SEARCH p USING INTEGER PRIMARY KEY") }.count == rings, "\(steps)")
            #expect(steps.filter { $0.hasPrefix("SEARCH d0 USING INDEX") }.count >= rings, "\(steps)")
            #expect(!steps.contains { $0.hasPrefix("SCAN v") || $0.hasPrefix("SCAN p") || $0.hasPrefix("SCAN r") })
        }
    }

    /// A page of the nearest looks at what is near, whatever else there is.
    @Test("A page of the nearest looks at few records", arguments: [true, false])
    func nearest(ascending: Bool) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        var generator = SeededGenerator(seed: 7)
        for batch in 0..<20 {
            let operations = (0..<200).map { index in
                let latitude = Double.random(in: -80...80, using: &generator)
                let longitude = Double.random(in: -180...180, using: &generator)
                return operation(
                    .create, "\(batch)-\(index)",
                    fields: #"{"p":{"value":{"latitude":\#(latitude),"longitude":\#(longitude)}}}"#)
            }
            _ = try await temporary.store.modify(operations)
        }
        let text =
            #"{"recordType":"Note","sortBy":{"fieldName":"p","ascending":\#(ascending),"relativeLocation":{"latitude":1,"longitude":2}}}"#
        var looked: Int64 = 0
        try withPlan(text, zoneWide: false, temporary) { db, plan in
            var found = 0
            for statement in plan.statements(after: nil) where found < 20 {
                guard statement.sql.contains("locations_tree") else { continue }
                // All that it has to put in order, of which the page is the first.
                let unordered = statement.sql.replacing(#/ ORDER BY .*/#, with: "")
                try db.each("SELECT count(*) FROM (\(unordered))", statement.values) {
                    looked += $0.integer(0)
                    return false
                }
                try db.each(statement.sql, statement.values + [.integer(20)]) { _ in
                    found += 1
                    return true
                }
            }
            #expect(found >= 20)
        }
        #expect(looked < 400)
    }

    private static let near =
        #"{"fieldName":"p","comparator":"NEAR","distance":5000,"fieldValue":{"value":{"latitude":0,"longitude":180}}}"#

    /// The order of an index needs no sorting, so that a page costs its own length.
    @Test(
        "A query sorted by an indexed field sorts nothing",
        arguments: [
            #"{"recordType":"Note"}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"s"}}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"s","ascending":false}}"#,
            #"{"recordType":"Note","filterBy":[\#(filter("s", "EQUALS", #""a""#))]}"#,
            #"{"recordType":"Note","filterBy":[\#(filter("i", "LESS_THAN", "1"))]}"#,
            #"{"recordType":"Note","filterBy":[\#(filter("w", "CONTAINS_ANY_TOKENS", #""fox""#))]}"#,
        ])
    func sorted(text: String) async throws {
        let temporary = try await filled()
        _ = try await temporary.store.query(text)
        for place in [false, true] {
            let steps = try explain(text, zoneWide: false, fromPlace: place, temporary)
            #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    private static func filter(_ field: String, _ comparator: String, _ value: String) -> String {
        #"{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)}}"#
    }

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        var generator = QueryGenerator(seed: 1)
        for zone in QueryGenerator.zones {
            try await temporary.store.makeZone(zone)
            let records = (0..<20).map { generator.record("\($0)", zone: zone, isComplete: true) }
            _ = try await temporary.store.modify(records.map(QueryGenerator.creation), zone: zone)
        }
        return temporary
    }

    /// `values_2_s` with the field's column in place of its name.
    private func named(_ index: String, in catalog: Catalog) -> String {
        guard let name = index.split(separator: "_").last.map(String.init), index.hasPrefix("values_"),
            let type = catalog.types["Note"]
        else { return index }
        let column = type.fields[name].map { "f\($0.id)" } ?? name
        return SchemaTables.index(type, column: column)
    }

    private func explain(
        _ text: String, zoneWide: Bool, fromPlace: Bool, _ temporary: TemporaryStore,
        thresholds: QueryThresholds = QueryThresholds()
    ) throws -> [String] {
        var steps: [String] = []
        try withPlan(text, zoneWide: zoneWide, temporary, thresholds: thresholds) { db, plan in
            let place: QueryMarkers.SortKeys? = fromPlace ? plan.order.map { _ in .integer(1) } : nil
            for statement in plan.statements(after: place) {
                try db.each("EXPLAIN QUERY PLAN " + statement.sql, statement.values + [.integer(10)]) {
                    steps.append($0.text(3))
                    return true
                }
            }
        }
        return steps
    }

    private func withPlan(
        _ text: String, zoneWide: Bool, _ temporary: TemporaryStore, thresholds: QueryThresholds = QueryThresholds(),
        _ body: (SQLConnection, QueryPlan) throws -> Void
    ) throws {
        let query = try ResolvedQuery(
            Query(json(text), limits: Limits()), catalog: temporary.store.records.catalog, strict: false, zone: .notes,
            zoneWide: zoneWide, limits: Limits())
        try temporary.read { db in
            let zones = try QueryGenerator.zones.prefix(zoneWide ? 2 : 1).compactMap { try ZoneTable.find($0, db)?.id }
            let plan = try QueryPlan(
                query, zones: QueryZones(whole: zones), zoneWide: zoneWide, creator: nil, thresholds: thresholds, db)
            try body(db, plan)
        }
    }
}
