import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Every kind of change, on a type with records: in one transaction where they are few, in batches where they are many.
struct SchemaApplyTests {
    private static let paces = [BuildPace(), .slow]
    private static let before =
        #"RECORD TYPE Note (a STRING, b STRING, n NUMBER, l LIST<STRING>, f ASSET, GRANT WRITE TO "_creator");"#

    /// Ten records with a value in every field.
    private func filled(_ pace: BuildPace, schema: String = before) async throws -> TemporaryStore {
        let temporary = try TemporaryStore(pace: pace)
        try await temporary.store.makeZone()
        try await temporary.store.schema.apply(schema)
        let asset = try await temporary.store.assets.upload("bytes")
        let fields = (0..<10).map {
            #"{"a":{"value":"\#($0)"},"b":{"value":"b"},"n":{"value":\#($0)},"l":{"value":["x","\#($0)"]},"#
                + assetField(asset, name: "f").dropFirst()
        }
        let result = try await temporary.store.modify(
            fields.enumerated().map { operation(.create, "r\($0)", fields: $1) })
        #expect(result.errors.allSatisfy { $0 == nil })
        return temporary
    }

    @Test("A removed field is gone from records, queries and indexes", arguments: paces)
    func removedField(pace: BuildPace) async throws {
        let temporary = try await filled(pace)
        let store = temporary.store
        let bytes = try await store.users.usage(owner: "_alice").bytes
        let tag = try await store.record("r3")["recordChangeTag"]?.string
        _ = try await store.modify([operation(.create, "without", fields: #"{"a":{"value":"x"}}"#)])
        let token = try await store.changes().token
        try await store.schema.apply(
            #"RECORD TYPE Note (a STRING, n NUMBER, GRANT WRITE TO "_creator");"#)
        await store.stored.work.finished()
        let record = try await store.record("r3")
        #expect(record["fields"]?.object?.members.map(\.key) == ["a", "n"])
        #expect(record["recordChangeTag"]?.string != tag)
        #expect(Set(try await store.changes(since: token).names) == Set((0..<10).map { "r\($0)" }))
        #expect(try await temporary.column("SELECT count(*) FROM elements") == ["0"])
        #expect(try await temporary.column("SELECT count(*) FROM record_assets") == ["0"])
        #expect(try await store.users.usage(owner: "_alice").bytes < bytes)
        let stored = try await temporary.column("SELECT SUM(length(body)) FROM records WHERE record_type IS NOT NULL")
        #expect(try await String(store.users.usage(owner: "_alice").bytes) == stored[0])
        #expect(try await temporary.valuesTables().count == 3)
        let error = await #expect(throws: ServerError.self) {
            try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("b", #""b""#))]}"#)
        }
        #expect(error?.reason.hasPrefix("Unknown field 'b'") == true)
        #expect(try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("a", #""3""#))]}"#).names == ["r3"])
        let again = try await store.modify([operation(.create, "new", fields: #"{"b":{"value":1}}"#)])
        #expect(again.error() == nil)
        #expect(try await store.record("r4").field("b") == nil)
    }

    @Test("A field with another type begins empty", arguments: paces)
    func retypedField(pace: BuildPace) async throws {
        let temporary = try await filled(pace)
        let store = temporary.store
        try await store.schema.apply(Self.before.replacing("b STRING", with: "b INT64"))
        // Whether or not the build has come by it.
        _ = try await store.modify([operation(.forceUpdate, "r5", fields: #"{"b":{"value":7}}"#)])
        await store.stored.work.finished()
        #expect(try await store.record("r5").field("b") == .integer(7))
        #expect(try await store.record("r5").field("a") == .string("5"))
        #expect(try await store.record("r4").field("b") == nil)
        #expect(try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("b", "7"))]}"#).names == ["r5"])
    }

    @Test("A NUMBER field is converted to INT64 or DOUBLE", arguments: paces)
    func settledNumber(pace: BuildPace) async throws {
        let store = try await filled(pace).store
        let settled = Self.before.replacing("n NUMBER", with: "n NUMBER PREFERRED AS DOUBLE")
        #expect(try await store.schema.apply(settled).count == 1)
        _ = try await store.modify([operation(.forceUpdate, "r1", fields: #"{"a":{"value":"new"}}"#)])
        await store.stored.work.finished()
        for name in ["r1", "r2"] {
            #expect(try await store.record(name)["fields"]?.object?["n"]?.object?["type"] == .string("DOUBLE"))
        }
        #expect(try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("n", "2"))]}"#).names == ["r2"])
        #expect(try await SchemaText.text(store.schema.current()).contains("NUMBER PREFERRED AS DOUBLE"))
    }

    @Test("A NUMBER field whose values would be rounded is not converted") func roundedNumber() async throws {
        let store = try await filled(BuildPace()).store
        _ = try await store.modify([operation(.forceUpdate, "r1", fields: #"{"n":{"value":1.5}}"#)])
        let settled = try definition(Self.before.replacing("n NUMBER", with: "n NUMBER PREFERRED AS INT64"))
        let error = await #expect(throws: ServerError.self) {
            try await store.schema.apply(settled, production: nil, dryRun: false)
        }
        #expect(
            error
                == .badRequest(
                    "field 'n' of record type 'Note' cannot become NUMBER PREFERRED AS INT64: a record has 1.5 in it"))
        _ = try await store.modify([operation(.forceUpdate, "r1", fields: #"{"n":{"value":2.0}}"#)])
        try await store.schema.apply(settled, production: nil, dryRun: false)
        #expect(try await store.record("r1")["fields"]?.object?["n"]?.object?["type"] == .string("INT64"))
    }

    @Test("A removed type's records leave tombstones", arguments: paces)
    func removedType(pace: BuildPace) async throws {
        let temporary = try await filled(pace)
        let store = temporary.store
        try await store.subscribe("all", querySubscription())
        _ = try await store.modify([operation(.create, "other", type: "Other")])
        _ = try await store.modify([operation(.create, "open", fields: #"{"a":{"value":"x"}}"#)], zone: .world)
        let token = try await store.changes().token
        try await store.share("r2")
        try await store.schema.apply("RECORD TYPE Other (x STRING);")
        // A record that is on its way out is not there any more, and its name is free.
        #expect(try await store.exists("r9") == false)
        #expect(try await store.modify([operation(.create, "r9", type: "Other")]).error() == nil)
        await store.stored.work.finished()
        let names = Set(try await store.changes(since: token).names)
        #expect(names == Set((0..<9).map { "-r\($0)" } + ["r9", "-share-r2"]))
        #expect(try await store.exists("open", zone: .world) == false)
        #expect(try await store.users.usage(owner: nil).records == 2)
        #expect(try await temporary.column("SELECT count(*) FROM record_assets") == ["0"])
        #expect(try await temporary.column("SELECT count(*) FROM subscriptions") == ["0"])
        #expect(try await temporary.valuesTables().count == 3)
        #expect(try await store.schema.current().types.keys.sorted() == ["Other", "Users", "cloudkit.share"])
        // One of the same name is another type.
        #expect(try await store.modify([operation(.create, "r1", fields: #"{"a":{"value":1}}"#)]).error() == nil)
        #expect(try await store.query(#"{"recordType":"Note"}"#).names == ["r1"])
    }

    @Test("Dependents of a removed type's records are deleted too, and other referrers stay", arguments: paces)
    func dependents(pace: BuildPace) async throws {
        let temporary = try await filled(pace)
        let store = temporary.store
        let made = try await store.modify([
            operation(.create, "leaf", type: "Other", fields: #"{"r":\#(reference("r1", "DELETE_SELF"))}"#),
            operation(.create, "twig", type: "Other", fields: #"{"r":\#(reference("leaf", "DELETE_SELF"))}"#),
            operation(.create, "held", type: "Other", fields: #"{"r":\#(reference("r2", "VALIDATE"))}"#),
            operation(.create, "child", type: "Other", more: parent("r3")),
            operation(.create, "free", type: "Other", fields: #"{"r":\#(reference("r1"))}"#),
        ])
        #expect(made.errors.allSatisfy { $0 == nil })
        try await store.share("twig")
        let token = try await store.changes().token
        try await store.schema.apply("RECORD TYPE Other (r REFERENCE QUERYABLE);")
        await store.stored.work.finished()
        let names = Set(try await store.changes(since: token).names)
        #expect(names == Set((0..<10).map { "-r\($0)" } + ["-leaf", "-twig", "-share-twig"]))
        for name in ["held", "child", "free"] { #expect(try await store.exists(name)) }
        #expect(try await store.users.usage(owner: "_alice").records == 3)
        let stored = try await temporary.column("SELECT SUM(length(body)) FROM records WHERE record_type IS NOT NULL")
        #expect(try await String(store.users.usage(owner: nil).bytes) == stored[0])
    }

    @Test("A subscription by a removed field stays and matches nothing") func subscription() async throws {
        let store = try await filled(BuildPace()).store
        try await store.subscribe("b", querySubscription(filters: filter("b", #""b""#)))
        try await store.schema.apply(#"RECORD TYPE Note (a STRING);"#)
        let result = try await store.modify([operation(.create, "new", fields: #"{"a":{"value":"b"}}"#)])
        #expect(result.error() == nil)
    }

    @Test("A change of grants, roles or marks leaves records alone") func grantsAndMarks() async throws {
        let temporary = try await filled(BuildPace())
        let store = temporary.store
        let text = """
            CREATE ROLE First; CREATE ROLE Second;
            RECORD TYPE Note (
                "___modTime" TIMESTAMP SORTABLE, "___recordID" REFERENCE QUERYABLE, a STRING QUERYABLE, b STRING,
                n NUMBER, l LIST<STRING>, f ASSET, GRANT READ TO "_world", GRANT WRITE TO Second);
            """
        try await store.schema.apply(text)
        #expect(store.records.catalog.roles == [1: "First", 2: "Second"])
        #expect(store.records.catalog.types["Note"]?.grants == Grants(["_world": [.read], "Second": [.write]]))
        #expect(store.records.catalog.types["Note"]?.implicit == [.modTime: [.sortable], .recordID: [.queryable]])
        #expect(store.records.catalog.types["Note"]?.fields["a"]?.indexes == [.queryable])
        #expect(store.records.catalog.types["Note"]?.generation == 0)
        try await store.schema.apply(text.replacing("CREATE ROLE First;", with: ""))
        try await store.schema.apply(text)
        #expect(store.records.catalog.roles == [2: "Second", 3: "First"])
        #expect(try await store.schema.apply(text).isEmpty)
        try await store.close()
        let reopened = try temporary.open()
        #expect(reopened.records.catalog == store.records.catalog)
    }

    @Test("A dry run changes nothing") func dryRun() async throws {
        let temporary = try await filled(BuildPace())
        let store = temporary.store
        let (catalog, tables) = (store.records.catalog, try await temporary.valuesTables())
        let token = try await store.changes().token
        let text = "CREATE ROLE R; RECORD TYPE Note (a INT64, c STRING QUERYABLE); RECORD TYPE More (a STRING);"
        let found = try await store.schema.apply(text, dryRun: true)
        #expect(store.records.catalog == catalog)
        #expect(try await temporary.valuesTables() == tables)
        #expect(try await store.changes(since: token).names == [])
        #expect(try await store.record("r3").field("a") == .string("3"))
        #expect(try await store.schema.apply(text) == found)
        #expect(found.count > 5)
        #expect(try await store.record("r3").field("a") == nil)
    }

    @Test("A change cannot remove types or fields of production") func productionLoss() async throws {
        let store = try await filled(BuildPace()).store
        let catalog = store.records.catalog
        let error = await #expect(throws: ServerError.self) {
            try await store.schema.apply(
                "RECORD TYPE Note (a INT64);", production: Self.before + "RECORD TYPE Gone (a STRING);")
        }
        #expect(error?.code == .badRequest)
        let start = "nothing was imported: record type 'Gone' is in production and cannot be removed; field 'a' of "
        #expect(error?.reason.hasPrefix(start) == true)
        #expect(
            error?.reason.hasSuffix("field 'n' of record type 'Note' is in production and cannot be removed") == true)
        #expect(store.records.catalog == catalog)
    }

    @Test("Built-in types take fields and cannot be removed") func builtInTypes() async throws {
        let store = try TemporaryStore().store
        try await store.users.ensure("_alice")
        try await store.schema.apply(
            "RECORD TYPE Users (nick STRING QUERYABLE, GRANT READ TO \"_world\"); RECORD TYPE \"cloudkit.share\" (kind INT64);"
        )
        #expect(store.records.catalog.types["Users"]?.fields.keys.sorted() == ["nick", "roles"])
        #expect(store.records.catalog.types["cloudkit.share"]?.fields["cloudkit.title"] != nil)
        try await store.schema.apply("")
        #expect(store.records.catalog.types["Users"]?.fields.keys.sorted() == ["nick", "roles"])
        await #expect(
            throws: ServerError.badRequest(
                "field 'roles' of record type 'Users' is built in and stays as it is", .schema(.builtIn))
        ) {
            try await store.schema.apply("RECORD TYPE Users (roles STRING);")
        }
        #expect(try await store.exists("_alice", zone: .world))
    }

    @Test("A schema over a limit is refused with both numbers") func limits() async throws {
        let fields = (0..<257).map { "f\($0) STRING" }.joined(separator: ", ")
        let types = (0..<1001).map { "RECORD TYPE T\($0) (a STRING);" }.joined()
        let store = try TemporaryStore().store
        await #expect(
            throws: ServerError.badRequest(
                "record type 'T' has 257 fields, at most 256 are allowed (limit.fieldsPerRecordType)")
        ) {
            try await store.schema.apply("RECORD TYPE T (\(fields));")
        }
        await #expect(
            throws: ServerError.badRequest(
                "the schema has 1003 record types, at most 1000 are allowed (limit.recordTypes)")
        ) { try await store.schema.apply(types) }
        let roles = (0..<101).map { "CREATE ROLE r\($0);" }.joined()
        await #expect(
            throws: ServerError.badRequest("the schema has 101 roles, at most 100 are allowed (limit.roles)")
        ) { try await store.schema.apply(roles) }
    }
}
