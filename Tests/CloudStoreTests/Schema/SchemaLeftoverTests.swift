import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// A schema change that removes something leaves nothing behind: grants of roles, numbers of lists, words of records,
/// users.
struct SchemaLeftoverTests {
    @Test("Removing a role removes its grants on built-in types") func removedRole() async throws {
        let store = try TemporaryStore().store
        try await store.schema.apply(
            #"CREATE ROLE editor; RECORD TYPE Users (roles LIST<INT64>, GRANT READ TO editor, GRANT READ TO "_world");"#
        )
        #expect(
            try await SchemaDifference.text(store.schema.apply("")) == """
                - Users GRANT READ TO editor
                - CREATE ROLE editor

                """)
        let schema = try await store.schema.current()
        #expect(try SchemaParser.parse(SchemaText.text(schema)) == schema)
        try await store.schema.apply("CREATE ROLE editor;")
        #expect(store.records.catalog.types["Users"]?.grants.permissions == ["_world": [.read]])
    }

    @Test("Lists of NUMBER are converted to INT64 or DOUBLE", arguments: [BuildPace(), .slow])
    func numberLists(pace: BuildPace) async throws {
        let store = try TemporaryStore(pace: pace).store
        try await store.makeZone()
        let lists = ["[1,2]", "[3]", "[]", "[2,4]", "[5]"]
        let made = try await store.modify(
            lists.enumerated().map { operation(.create, "r\($0)", fields: #"{"l":{"value":\#($1)}}"#) })
        #expect(made.error() == nil)
        #expect(store.records.catalog.types["Note"]?.fields["l"]?.type == FieldType(.number, isList: true))
        let settled = "RECORD TYPE Note (l LIST<NUMBER PREFERRED AS INT64> QUERYABLE);"
        #expect(try await store.schema.apply(settled).contains { if case .preferNumber = $0 { true } else { false } })
        await store.stored.work.finished()
        #expect(try await store.record("r0")["fields"]?.object?["l"]?.object?["type"] == .string("INT64_LIST"))
        let two = #"{"recordType":"Note","filterBy":[\#(filter("l", "2", "LIST_CONTAINS"))]}"#
        #expect(Set(try await store.query(two).names) == ["r0", "r3"])
        let half = try await store.modify([operation(.create, "half", fields: #"{"l":{"value":[0.5]}}"#)])
        #expect(half.error()?.code == .badRequest)
        #expect(try await SchemaParser.parse(SchemaText.text(store.schema.current())) == store.schema.current())
        try await store.close()
    }

    @Test("A list with a fraction is not converted to INT64") func mixedList() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "r", fields: #"{"l":{"value":[1,2.5]}}"#)])
        await #expect(
            throws: ServerError.badRequest(
                "field 'l' of record type 'Note' cannot become LIST<NUMBER PREFERRED AS INT64>: a record has 2.5 in it")
        ) { try await store.schema.apply("RECORD TYPE Note (l LIST<NUMBER PREFERRED AS INT64>);") }
    }

    /// A record that the server restamps while a build is on its way to it.
    @Test("A removed field's words leave the index") func removedWords() async throws {
        let (temporary, gate) = try await TemporaryStore.gated(
            schema: "RECORD TYPE Note (a STRING SEARCHABLE, b STRING SEARCHABLE);")
        let store = temporary.store
        let records = (0..<6).map {
            operation(.create, "r\($0)", fields: #"{"a":{"value":"stays"},"b":{"value":"goes"}}"#)
        }
        #expect(try await store.modify(records).error() == nil)
        try await store.schema.apply("RECORD TYPE Note (a STRING SEARCHABLE);")
        try await store.share("r5", with: ["_bob"])
        #expect(try await store.record("r5")["fields"]?.object?.members.map(\.key) == ["a"])
        gate.openForGood()
        await store.stored.work.finished()
        let stored = try await temporary.column("SELECT SUM(length(body)) FROM records WHERE record_type IS NOT NULL")
        #expect(try await String(store.users.usage(owner: nil).bytes) == stored[0])
        try await store.close()
        let words = try await temporary.tokens()
        #expect(words.contains { $0.hasSuffix(":stays") } && !words.contains { $0.hasSuffix(":goes") }, "\(words)")
    }

    /// Whoever comes while development is emptied has a record afterwards.
    @Test("A user has a record after a reset") func userRecord() async throws {
        let store = try TemporaryStore().store
        for round in 0..<20 {
            async let reset: Void = { _ = try await store.schema.reset(to: SchemaDefinition()) }()
            try await store.users.ensure("_\(round)")
            try await reset
            try await store.users.ensure("_\(round)")
            #expect(try await store.exists("_\(round)", zone: .world))
        }
    }

    @Test("A reset forgets which users have a record") func forgottenUsers() {
        let users = KnownUsers()
        let epoch = users.epoch
        users.insert("_a", since: epoch)
        #expect(users.contains("_a"))
        users.forget()
        users.insert("_a", since: epoch)
        #expect(!users.contains("_a"))
        users.insert("_a", since: users.epoch)
        #expect(users.contains("_a"))
    }

    @Test("Records of a removed type show as build progress until they are gone") func removalProgress() async throws {
        let (temporary, gate) = try await TemporaryStore.gated()
        let store = temporary.store
        _ = try await store.modify((0..<5).map { operation(.create, "r\($0)") })
        try await store.schema.apply("")
        #expect(
            try await store.schema.buildProgress() == [IndexBuildProgress(type: "Note", state: .removing, total: 5)])
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.schema.buildProgress() == [])
        try await store.close()
    }
}
