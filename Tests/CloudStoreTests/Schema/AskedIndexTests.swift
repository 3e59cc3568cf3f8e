import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Indexes that come with the first query they could lead, and not before.
@Suite(.timeLimit(.minutes(20)))
struct AskedIndexTests {
    private static let fields =
        #"{"a":{"value":"fox x"},"b":{"value":1},"c":{"value":"y"},"l":{"value":["x"]},"p":{"value":{"latitude":1,"longitude":2}}}"#

    private func filled(_ temporary: TemporaryStore, _ count: Int = 10) async throws {
        try await temporary.store.makeZone()
        let records = (0..<count).map { operation(.create, "r\($0)", fields: Self.fields, more: parent("r0")) }
        #expect(try await temporary.store.modify([operation(.create, "r0", fields: Self.fields)]).error() == nil)
        #expect(try await temporary.store.modify(Array(records.dropFirst())).error() == nil)
    }

    private static func note(filters: String = "", sorts: String = "") -> String {
        #"{"recordType":"Note","filterBy":[\#(filters)],"sortBy":[\#(sorts)]}"#
    }

    private static let byWord = note(filters: filter("a", #""fox""#, "CONTAINS_ALL_TOKENS"))
    private static let byA = note(filters: filter("a", #""fox x""#))

    /// A create writes its row, and no tree of values beside it.
    @Test("Saves create no index before a query needs it") func unasked() async throws {
        let temporary = try TemporaryStore()
        try await filled(temporary)
        #expect(try await temporary.indexes("Note") == [])
        #expect(try await temporary.column("SELECT count(*) FROM indexes") == ["0"])
        #expect(try await temporary.column("SELECT count(*) FROM records WHERE text_set IS NOT NULL") == ["0"])
        for text in [
            Self.note(), Self.note(sorts: #"{"fieldName":"___recordID"}"#),
            Self.note(filters: filter("___recordID", #""r1""#)), Self.note(filters: filter("b", "1", "NOT_EQUALS")),
            Self.note(filters: filter("l", #""x""#, "LIST_CONTAINS")),
            Self.note(sorts: #"{"fieldName":"p","relativeLocation":{"latitude":1,"longitude":2}}"#),
        ] {
            _ = try await temporary.store.query(text)
        }
        #expect(try await temporary.indexes("Note") == [])
        try await temporary.store.close()
    }

    @Test(
        "The first query by a field creates its index",
        arguments: [
            (note(filters: filter("a", #""fox x""#)), ["a"]), (note(sorts: #"{"fieldName":"b"}"#), ["b"]),
            (
                note(filters: filter("b", "0", "GREATER_THAN"), sorts: #"{"fieldName":"c"},{"fieldName":"a"}"#),
                ["b", "c"]
            ),
            (note(filters: filter("b", "1") + "," + filter("c", #""y""#)), ["b", "c"]),
            (note(sorts: #"{"fieldName":"___createTime"}"#), ["created"]),
            (note(filters: filter("___modifiedBy", #""_alice""#)), ["modified_by"]),
            (note(filters: filter("___parent", #""r0""#)), ["parent"]), (byWord, []),
        ])
    func firstUse(text: String, indexes: [String]) async throws {
        let temporary = try TemporaryStore()
        try await filled(temporary)
        let store = temporary.store
        let first = try await store.query(text).names
        #expect(first.count >= 9)
        #expect(try await temporary.indexes("Note") == indexes)
        let version = store.records.catalog.version
        #expect(try await store.query(text).names == first)
        #expect(store.records.catalog.version == version)
        try await store.close()
        let reopened = try temporary.open()
        #expect(reopened.records.catalog == store.records.catalog)
        #expect(try await reopened.query(text).names == first)
        #expect(reopened.records.catalog.version == version)
        try await reopened.close()
    }

    /// Whatever a stranger thinks of: a column has one index.
    @Test("A column has one index, whatever the queries") func columnBound() async throws {
        let temporary = try TemporaryStore()
        try await filled(temporary)
        let fields = [
            "a", "b", "c", "l", "p", "___createTime", "___modTime", "___createdBy", "___parent", "___recordID",
        ]
        for field in fields {
            for comparator in ["EQUALS", "LESS_THAN", "IN", "NEAR", "BEGINS_WITH", "CONTAINS_ANY_TOKENS"] {
                for value in ["1", #""x""#, #"["x"]"#, "[1]"] {
                    _ = try? await temporary.store.query(Self.note(filters: filter(field, value, comparator)))
                    _ = try? await temporary.store.query(
                        Self.note(filters: filter(field, value, comparator), sorts: #"{"fieldName":"\#(field)"}"#))
                }
            }
        }
        #expect(
            try await temporary.indexes("Note")
                == ["a", "b", "c", "created", "created_by", "modified", "parent"])
        try await temporary.store.close()
    }

    /// Marks of a text decide, with or without a query; what is not marked is answered for all the same.
    @Test("In development an imported schema's marks decide the indexes") func developmentMarks() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        try await store.schema.apply(
            #"RECORD TYPE Note ("___modTime" TIMESTAMP SORTABLE, a STRING QUERYABLE, b INT64, c STRING SEARCHABLE);"#)
        #expect(try await temporary.indexes("Note") == ["a", "modified"])
        let fields = #"{"a":{"value":"x"},"b":{"value":1,"type":"INT64"},"c":{"value":"fox"}}"#
        #expect(try await store.modify([operation(.create, "r", fields: fields)]).error() == nil)
        #expect(try await temporary.column("SELECT count(*) FROM records WHERE text_set IS NOT NULL") == ["1"])
        #expect(try await store.query(Self.note(filters: filter("b", "1"))).names == ["r"])
        #expect(try await temporary.indexes("Note") == ["a", "b", "modified"])
        try await store.schema.apply(
            #"RECORD TYPE Note ("___createTime" TIMESTAMP QUERYABLE, a STRING, b INT64, c STRING);"#)
        #expect(try await temporary.indexes("Note") == ["b", "created"])
        #expect(store.records.catalog.types["Note"]?.worded == [])
        try await store.schema.apply("RECORD TYPE Note (a STRING SORTABLE, b INT64 SORTABLE, c STRING SEARCHABLE);")
        await store.stored.work.finished()
        #expect(try await temporary.indexes("Note") == ["a", "b"])
        #expect(
            try await store.query(Self.note(filters: filter("c", #""fox""#, "CONTAINS_ALL_TOKENS"))).names == ["r"])
        try await store.close()
    }

    /// Production has what is marked, and what finds a user's own where grants show nothing else.
    @Test("Production has the marked indexes, and the creator index where grants need it")
    func productionMarks() async throws {
        let temporary = try TemporaryStore(.production)
        let store = temporary.store
        try await store.schema.deploy(
            """
            RECORD TYPE Open (a STRING QUERYABLE, b STRING, GRANT READ TO "_world");
            RECORD TYPE Own ("___createTime" TIMESTAMP SORTABLE, a STRING, GRANT READ TO "_creator");
            """)
        #expect(try await temporary.indexes("Open") == ["a"])
        #expect(try await temporary.indexes("Own") == ["created", "created_by"])
        try await store.schema.deploy(
            """
            RECORD TYPE Open (a STRING QUERYABLE, b STRING, GRANT READ TO "_creator");
            RECORD TYPE Own ("___createTime" TIMESTAMP SORTABLE, a STRING, GRANT READ TO "_world", GRANT READ TO "_creator");
            """)
        #expect(try await temporary.indexes("Open") == ["a", "created_by"])
        #expect(try await temporary.indexes("Own") == ["created"])
        try await store.close()
    }

    private static let questions = [
        byA, byWord, note(sorts: #"{"fieldName":"b","ascending":false}"#),
        note(filters: filter("b", "0", "GREATER_THAN")), note(sorts: #"{"fieldName":"___createTime"}"#),
        note(filters: filter("___createdBy", #""_alice""#) + "," + filter("a", #""x""#, "CONTAINS_ANY_TOKENS")),
        note(filters: #"{"comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"fox y"}}"#),
    ]

    /// Of a large type every record is looked at until the build is done, and a page begun before it goes on after.
    @Test("A query over many records does not wait for the index build that it starts", arguments: questions)
    func unhinderedQuery(text: String) async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        try await filled(temporary)
        let first = try await store.query(text, limit: 4)
        #expect(first.names.count == 4 && first.marker != nil)
        let progress = try await store.schema.buildProgress()
        #expect(progress.count == 1 && progress[0].fields.isEmpty == false)
        await gate.arrived()
        for _ in 0..<3 {
            #expect(try await store.query(text, limit: 4).names == first.names)
            await gate.letOneThrough()
        }
        let other = #"{"a":{"value":"fox x y"},"b":{"value":1},"c":{"value":"fox y"}}"#
        #expect(try await store.modify([operation(.create, "meanwhile", fields: other)]).error() == nil)
        _ = try await store.modify([operation(.forceDelete, "r3")])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.schema.buildProgress() == [])
        #expect(store.records.catalog.types["Note"]?.generation == 1)
        let rest = try await store.query(text, marker: first.marker).names
        let all = try await store.query(text).names
        #expect(Set(all).count == (text == Self.byA ? 9 : 10))
        #expect(rest == Array(all.drop { $0 != rest.first }))
        #expect(Set(rest).isDisjoint(with: first.names.filter { $0 != "r3" }))
        try await store.close()
    }

    /// Several queries ask in one build; one that comes while it runs is the next build's.
    @Test("Indexes that several queries need are built together") func sharedBuild() async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        try await filled(temporary)
        for text in Self.questions { _ = try await store.query(text) }
        #expect(
            try await store.schema.buildProgress().map(\.fields) == [["___createTime", "___createdBy", "a", "b", "c"]])
        await gate.arrived()
        await gate.letOneThrough()
        _ = try await store.query(Self.note(filters: filter("c", #""y""#)))
        #expect(try await store.schema.buildProgress().map(\.fields.count) == [5, 1])
        try await store.close()
        let reopened = try temporary.open(pace: .slow)
        await reopened.stored.work.finished()
        #expect(try await temporary.indexes("Note", of: reopened) == ["a", "b", "c", "created", "created_by"])
        #expect(reopened.records.catalog.types["Note"]?.worded.count == 2)
        for text in Self.questions { #expect(try await reopened.query(text).names.count == 10) }
        try await reopened.close()
    }

    /// Somebody who may see their own only asks by that, in production too.
    @Test("A query by a caller who may read only their own records uses the creator index")
    func creatorIndex() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.modify(
            [operation(.create, "mine", fields: Self.fields)], zone: .world, caller: .alice)
        try await store.schema.apply(#"RECORD TYPE Note (a STRING, GRANT READ TO "_creator");"#)
        #expect(try await temporary.indexes("Note") == ["created_by"])
        #expect(try await store.query(Self.note(), zone: .world, caller: .alice).names == ["mine"])
        #expect(try await store.query(Self.note(), zone: .world, caller: .bob).names == [])
        try await store.close()
    }

    @Test(
        "Segments of the word index are merged at 16", .enabled(if: !ChosenEngine.isPostgres, "about segments of FTS5"))
    func segments() async throws {
        let temporary = try TemporaryStore()
        #expect(try await temporary.column("SELECT v FROM words_config WHERE k = 'automerge'") == ["16"])
        try await temporary.store.close()
    }
}

extension TemporaryStore {
    /// The indexes of a type's values table as the file has them: fields by their names, system fields by their columns.
    ///
    /// - Parameter reopened: what has the file open now.
    func indexes(_ type: String, of reopened: EnvironmentStore? = nil) async throws -> [String] {
        guard let type = (reopened ?? store).records.catalog.types[type] else { return [] }
        let table = SchemaTables.table(type)
        let columns = try await self.indexes(of: table).map { String($0.dropFirst(table.count + 1)) }
        return columns.map { column in
            type.fields.values.first { SchemaTables.column(.field($0)) == column }?.name ?? column
        }.sorted()
    }
}
