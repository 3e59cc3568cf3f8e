import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// The cost of a schema change in its own transaction, during which nobody else writes.
struct ChangeCostTests {
    private static let types = ["A", "B", "C"]

    /// Types of two records each, with the work on what is left for later held up.
    private func filled() async throws -> (temporary: TemporaryStore, gate: Gate) {
        let (temporary, gate) = try await TemporaryStore.gated()
        for type in Self.types {
            let records = (0..<2).map {
                operation(.create, "\(type)\($0)", type: type, fields: #"{"a":{"value":"x"},"b":{"value":"y"}}"#)
            }
            #expect(try await temporary.store.modify(records).error() == nil)
        }
        return (temporary, gate)
    }

    private static func schema(_ fields: String) -> String {
        types.map { "RECORD TYPE \($0) (\(fields));" }.joined()
    }

    /// Rows that the writer has changed, undone or not.
    private func written(_ store: EnvironmentStore) async throws -> Int64 {
        try await store.stored.writes.write(for: nil) { Int64($0.db.totalChanges) }
    }

    /// Three records at once, of six in all.
    @Test("All types of a schema change share one bound of records") func recordBound() async throws {
        let (temporary, gate) = try await filled()
        let store = temporary.store
        try await store.schema.apply(Self.schema("a STRING"))
        #expect(try await store.schema.buildProgress().map(\.type) == ["B", "C"])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.schema.buildProgress() == [])
        #expect(try await store.record("C1")["fields"]?.object?.members.map(\.key) == ["a"])
        try await store.close()
    }

    /// Indexes over six records, of which three may be met.
    @Test("All indexes of a schema change share one bound") func indexBound() async throws {
        let (temporary, gate) = try await filled()
        let store = temporary.store
        try await store.schema.apply(Self.schema("a STRING, b STRING, c STRING QUERYABLE"))
        var found: [String] = []
        for type in Self.types {
            let text = #"{"recordType":"\#(type)","filterBy":[\#(filter("c", #""x""#))]}"#
            do {
                _ = try await store.query(text)
                found.append(type)
            } catch let error as ServerError { #expect(error.code == .tryAgainLater) }
        }
        // One index over the table that is asked, one with a table made anew.
        #expect(found == ["A", "B"])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.schema.buildProgress() == [])
        try await store.close()
    }

    @Test("A dry run of a schema change reads no records") func dryRun() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let records = (0..<200).map { operation(.create, "r\($0)", fields: #"{"a":{"value":"x"},"b":{"value":"y"}}"#) }
        #expect(try await store.modify(records).error() == nil)
        let before = try await written(store)
        #expect(try await store.schema.apply("RECORD TYPE Note (a STRING);", dryRun: true).isEmpty == false)
        #expect(try await store.schema.apply("", dryRun: true) == [.removeType("Note")])
        #expect(try await written(store) - before < 50)
        #expect(try await store.query(#"{"recordType":"Note"}"#).names.count == 200)
        try await store.close()
    }

    /// A large table that waits to be emptied does so whoever changes what.
    @Test("A schema change leaves dropped tables to the background work") func droppedTables() async throws {
        let (temporary, gate) = try await filled()
        let store = temporary.store
        try await temporary.execute(
            """
            CREATE TABLE old (zone INTEGER, id INTEGER, PRIMARY KEY (zone, id)) /*!WITHOUT ROWID*/;
            INSERT INTO old VALUES (1, 1), (1, 2);
            INSERT INTO dropped_tables (name) VALUES ('old');
            """)
        try await store.schema.apply(
            Self.schema("a STRING, b STRING").replacing("B (a STRING, b STRING)", with: "B (a STRING)"))
        #expect(store.records.catalog.types["B"]?.generation == 1)
        #expect(try await temporary.count("old") == 2)
        // What it replaced itself is gone at once.
        #expect(try await temporary.valuesTables().filter { $0.hasPrefix("values_4") } == ["values_4_1"])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await temporary.column("SELECT count(*) FROM dropped_tables") == ["0"])
        try await store.close()
    }

    /// Places are kept of every field that has some, so marks ask nothing of the records.
    @Test("Marking a LOCATION field needs no build") func locationMark() async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        try await store.schema.apply("RECORD TYPE Note (p LOCATION);")
        let place = #"{"value":{"latitude":1,"longitude":2}}"#
        let records = (0..<6).map { operation(.create, "r\($0)", fields: #"{"p":\#(place)}"#) }
        #expect(try await store.modify(records).error() == nil)
        let near =
            #"{"recordType":"Note","filterBy":{"fieldName":"p","comparator":"NEAR","distance":9,"fieldValue":\#(place)}}"#
        for marks in [" QUERYABLE", " QUERYABLE SORTABLE", " SORTABLE", ""] {
            try await store.schema.apply("RECORD TYPE Note (p LOCATION\(marks));")
            #expect(try await store.schema.buildProgress() == [])
            #expect(try await store.query(near).names.count == 6)
        }
        gate.openForGood()
        try await store.close()
    }
}
