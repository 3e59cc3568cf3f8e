import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Values that are longer than an entry of any engine's index.
@Suite(.timeLimit(.minutes(5)))
struct LongValueTests {
    /// What text cannot be stored in less of begins alike for longer than indexes look.
    private static let texts = ["", "b", "a"].map { end in
        var state: UInt64 = 7
        let scrambled = (0..<6_000).map { _ -> Character in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return Character(Unicode.Scalar(UInt8(97 + (state >> 33) % 26)))
        }
        return String(scrambled) + end
    }

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await temporary.store.schema.apply(
            "RECORD TYPE Note (s STRING QUERYABLE SORTABLE SEARCHABLE, l LIST<STRING> QUERYABLE);")
        let operations = Self.texts.enumerated().map { index, text in
            operation(
                .create, "r\(index)",
                fields: #"{"s":{"value":"\#(text)"},"l":{"value":["\#(text)","\#(text)","x\#(index)"]}}"#)
        }
        #expect(try await temporary.store.modify(operations).error() == nil)
        return temporary
    }

    @Test("Long texts are stored, and compared like short ones")
    func comparisons() async throws {
        let store = try await filled().store
        let (first, last) = (Self.texts[0], Self.texts[1])
        for (field, comparator, value, names) in [
            ("s", "EQUALS", #""\#(last)""#, ["r1"]), ("s", "IN", #"["\#(first)","\#(last)"]"#, ["r0", "r1"]),
            ("s", "BEGINS_WITH", #""\#(first)""#, ["r0", "r2", "r1"]),
            ("s", "GREATER_THAN", #""\#(first)""#, ["r2", "r1"]),
            ("s", "LESS_THAN", #""\#(last)""#, ["r0", "r2"]), ("s", "LESS_THAN_OR_EQUALS", #""\#(first)""#, ["r0"]),
            ("s", "GREATER_THAN_OR_EQUALS", #""\#(last)""#, ["r1"]), ("s", "NOT_EQUALS", #""\#(last)""#, ["r0", "r2"]),
            ("l", "LIST_CONTAINS", #""\#(last)""#, ["r1"]), ("l", "LIST_CONTAINS_ALL", #"["\#(last)","x1"]"#, ["r1"]),
            ("l", "LIST_CONTAINS_ANY", #"["\#(last)","x0"]"#, ["r0", "r1"]),
            ("l", "LIST_MEMBER_BEGINS_WITH", #""\#(first)""#, ["r0", "r1", "r2"]),
        ] {
            let query =
                #"{"recordType":"Note","filterBy":[{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)}}]}"#
            #expect(try await store.query(query).names == names, "\(field) \(comparator)")
        }
    }

    @Test("Long texts are sorted by their whole length, across pages", arguments: [true, false])
    func pages(ascending: Bool) async throws {
        let store = try await filled().store
        _ = try await store.modify([operation(.create, "none")])
        let query = #"{"recordType":"Note","sortBy":{"fieldName":"s","ascending":\#(ascending)}}"#
        var (names, marker): ([String], String?) = ([], nil)
        repeat {
            let page = try await store.query(query, marker: marker, limit: 1)
            names += page.names
            marker = page.marker
        } while marker != nil
        let sorted = ["none", "r0", "r2", "r1"]
        #expect(names == (ascending ? sorted : sorted.reversed()))
    }

    @Test("A subscription to a long text fires for exactly that text", arguments: [true, false])
    func subscriptions(isPublic: Bool) async throws {
        // The schema comes with the records, with grants for everybody.
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "first", fields: #"{"s":{"value":"x"}}"#)])
        let scope = isPublic ? DatabaseScope.public : .private
        try await store.listen()
        let filters = #"{"fieldName":"s","comparator":"EQUALS","fieldValue":{"value":"\#(Self.texts[1])"}}"#
        let more = isPublic ? "" : #""zoneID":{"zoneName":"Notes"}"#
        try await store.subscribe("q", querySubscription(filters: filters, more: more), in: scope)
        let operations = Self.texts.enumerated().map { index, text in
            operation(.create, "n\(index)", fields: #"{"s":{"value":"\#(text)"}}"#)
        }
        let zone = isPublic ? ZoneID.world : .notes
        #expect(try await store.modify(operations, zone: zone).error() == nil)
        #expect(try await store.news() == ["q+n1"])
    }

    /// Nothing is found by walking through a table or a whole index.
    @Test(
        "PostgreSQL's indexes find long texts",
        .enabled(if: ChosenEngine.isPostgres, "reads a plan of PostgreSQL"),
        arguments: [
            #""filterBy":[{"fieldName":"s","comparator":"EQUALS","fieldValue":{"value":"a"}}]"#,
            #""filterBy":[{"fieldName":"s","comparator":"BEGINS_WITH","fieldValue":{"value":"a"}}]"#,
            #""filterBy":[{"fieldName":"s","comparator":"LESS_THAN","fieldValue":{"value":"a"}}]"#,
            #""filterBy":[{"fieldName":"l","comparator":"LIST_CONTAINS","fieldValue":{"value":"a"}}]"#,
            #""sortBy":{"fieldName":"s"}"#, #""sortBy":{"fieldName":"s","ascending":false}"#,
        ])
    func plans(clause: String) async throws {
        let temporary = try await filled()
        let text = #"{"recordType":"Note",\#(clause)}"#
        _ = try await temporary.store.query(text)
        let query = try ResolvedQuery(
            Query(json(text), limits: Limits()), catalog: temporary.store.records.catalog, strict: false, zone: .notes,
            limits: Limits())
        let plans = try temporary.read { db in
            // The tables are too small for an index to be worth it.
            try db.script("SET enable_seqscan = off; SET enable_bitmapscan = off")
            let zone = try #require(try ZoneTable.find(.notes, db)?.id)
            let plan = try QueryPlan(
                query, zones: QueryZones(whole: [zone]), zoneWide: false, creator: nil, db)
            return try [nil, plan.order.map { $0.prefix == nil ? SQLValue.integer(1) : .text("a") }].flatMap { place in
                try plan.statements(after: place).map { statement in
                    var lines: [String] = []
                    try db.each("EXPLAIN " + statement.sql, statement.values + [.integer(10)]) {
                        lines.append($0.text(0))
                        return true
                    }
                    return lines
                }
            }
        }
        #expect(!plans.isEmpty)
        for plan in plans {
            let conditions = plan.filter { $0.contains("Index Cond:") && $0.contains("substr(") }
            #expect(conditions.count == 1, "\(plan.joined(separator: "\n"))")
        }
    }
}
