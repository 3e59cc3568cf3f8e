import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// A file in which every column of values has an index, as earlier versions made them.
@Suite(.timeLimit(.minutes(20)), .enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct OldIndexTests {
    private static let schema = "RECORD TYPE Note (a STRING QUERYABLE, b INT64, c STRING SEARCHABLE);"
    private static let system = ["name", "created", "created_by", "modified", "modified_by", "parent", "share"]
    private static let byTime = #"{"recordType":"Note","sortBy":{"fieldName":"___createTime"}}"#
    private static let names = (0..<6).map { "r\($0)" }

    private func fill(_ store: EnvironmentStore) async throws {
        try await store.schema.apply(Self.schema)
        let fields = #"{"a":{"value":"x"},"b":{"value":1,"type":"INT64"},"c":{"value":"a fox"}}"#
        let result = try await store.modify(Self.names.map { operation(.create, $0, fields: fields) })
        #expect(result.error() == nil)
    }

    /// Makes the file what it was, with an index for each column of these tables.
    private func age(_ temporary: TemporaryStore, tables: [String], unmarked: [String]) async throws {
        var sql = ""
        for table in tables {
            for column in Self.system + unmarked {
                sql += "CREATE INDEX \(table)_\(column) ON \(table) (zone, \(column), id);"
            }
        }
        try await temporary.execute(
            sql + """
                DROP TABLE indexes;
                DROP TABLE dropped_indexes;
                DELETE FROM grdb_migrations WHERE identifier = '14 indexes';
                """)
    }

    private func column(_ field: String, _ store: EnvironmentStore) throws -> String {
        SchemaTables.column(.field(try #require(store.records.catalog.types["Note"]?.fields[field])))
    }

    private func check(_ store: EnvironmentStore) async throws {
        for text in [
            #"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#, Self.byTime,
            #"{"recordType":"Note","filterBy":[\#(filter("c", #""fox""#, "CONTAINS_ALL_TOKENS"))]}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"___recordID"}}"#,
        ] {
            #expect(try await store.query(text).names == Self.names)
        }
    }

    @Test("Old indexes on unmarked fields are dropped") func unmarkedFields() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await fill(temporary.store)
        let before = try await temporary.column("SELECT hex(body) FROM records ORDER BY id")
        try await temporary.store.close()
        try await age(temporary, tables: ["values_3"], unmarked: [try column("b", temporary.store)])
        #expect(try await temporary.indexes("Note").count == Self.system.count + 2)
        let store = try temporary.open()
        await store.stored.work.finished()
        #expect(try await temporary.indexes("Note") == ["a"])
        #expect(try await temporary.column("SELECT count(*) FROM dropped_indexes") == ["0"])
        #expect(try await temporary.column("SELECT hex(body) FROM records ORDER BY id") == before)
        #expect(store.records.catalog.types["Note"]?.worded.count == 1)
        try await check(store)
        #expect(try await temporary.indexes("Note") == ["a", "created"])
        try await store.close()
    }

    /// One that is asked for before it is dropped needs no building, however many records there are.
    @Test("An old index that a query needs before it is dropped is kept") func stillNeeded() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await fill(temporary.store)
        try await temporary.store.close()
        try await age(temporary, tables: ["values_3"], unmarked: [])
        let gate = Gate()
        var pace = BuildPace.slow
        pace.pause = { await gate.wait() }
        let store = try temporary.open(pace: pace)
        #expect(try await store.query(Self.byTime).names == Self.names)
        #expect(store.records.catalog.types["Note"]?.hasIndex("created") == true)
        #expect(try await store.schema.buildProgress() == [])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await temporary.indexes("Note", of: store) == ["a", "created"])
        try await check(store)
        try await store.close()
    }

    /// An upgrade keeps the column of a build that was under way.
    @Test("A build that an older version began continues", arguments: [0, 2])
    func unfinishedBuild(steps: Int) async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        try await fill(store)
        try await store.schema.apply(Self.schema.replacing("b INT64", with: "b INT64 QUERYABLE"))
        await gate.arrived()
        for _ in 0..<steps { await gate.letOneThrough() }
        try await store.close()
        let tables = try await temporary.valuesTables().filter { $0.hasPrefix("values_3") }
        #expect(tables.count == (steps == 0 ? 1 : 2))
        try await age(temporary, tables: tables, unmarked: [])
        let reopened = try temporary.open(pace: .slow)
        await reopened.stored.work.finished()
        #expect(reopened.records.catalog.types["Note"]?.generation == 1)
        #expect(try await reopened.query(#"{"recordType":"Note","filterBy":[\#(filter("b", "1"))]}"#).names.count == 6)
        try await check(reopened)
        // One more has been asked for.
        await reopened.stored.work.finished()
        #expect(try await temporary.indexes("Note", of: reopened) == ["a", "b", "created"])
        let left = try await temporary.valuesTables()
        #expect(left.count == 3, "\(left)")
        try await reopened.close()
    }
}
