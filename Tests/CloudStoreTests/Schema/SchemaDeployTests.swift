import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Deployments from development to production, and imports back.
struct SchemaDeployTests {
    private static let fields = #"{"a":{"value":"x"},"n":{"value":1}}"#

    @Test("A deployment that would remove something names it and changes nothing")
    func losses() async throws {
        let temporary = try TemporaryStore(.production)
        let store = temporary.store
        try await store.schema.deploy("CREATE ROLE R; RECORD TYPE T (a STRING, n INT64); RECORD TYPE U (a STRING);")
        let catalog = store.records.catalog
        await #expect(
            throws: ServerError.badRequest(
                "nothing was deployed: field 'a' of record type 'T' is STRING in production and cannot become BYTES; "
                    + "field 'n' of record type 'T' is in production and cannot be removed; "
                    + "record type 'U' is in production and cannot be removed; "
                    + "role 'R' is in production and cannot be removed", .schema(.loss))
        ) { try await store.schema.deploy("RECORD TYPE T (a BYTES); RECORD TYPE More (a STRING);") }
        #expect(store.records.catalog == catalog)
        #expect(try await temporary.valuesTables().count == 4)
    }

    @Test("A deployment adds and removes indexes over existing records", arguments: [BuildPace(), .slow])
    func changedIndexes(pace: BuildPace) async throws {
        let temporary = try TemporaryStore(.production, pace: pace)
        let store = temporary.store
        let plain = #"RECORD TYPE T (a STRING, n INT64, GRANT CREATE TO "_icloud");"#
        let indexed = plain.replacing("a STRING", with: "a STRING QUERYABLE")
        let query = #"{"recordType":"T","filterBy":[\#(filter("a", #""x""#))]}"#
        func fieldIndexes() async throws -> Int {
            var indexes: [String] = []
            for table in try await temporary.tables(beginningWith: "values_3") {
                indexes += try await temporary.indexes(of: table)
            }
            return indexes.count { $0.contains("_f") }
        }
        try await store.schema.deploy(plain)
        try await store.makeZone()
        for name in 0..<8 {
            let result = try await store.modify([operation(.create, "r\(name)", type: "T", fields: Self.fields)])
            #expect(result.error() == nil)
        }
        await #expect(throws: ServerError.self) { try await store.query(query, strict: true) }
        #expect(try await store.schema.deploy(indexed, dryRun: true).count == 1)
        await #expect(throws: ServerError.self) { try await store.query(query, strict: true) }
        try await store.schema.deploy(indexed)
        await store.stored.work.finished()
        #expect(try await store.query(query, strict: true).names.count == 8)
        #expect(try await fieldIndexes() == 1)
        try await store.schema.deploy(plain)
        #expect(try await fieldIndexes() == 0)
        let error = await #expect(throws: ServerError.self) { try await store.query(query, strict: true) }
        #expect(error?.reason.hasPrefix("Field 'a' is not marked queryable") == true)
    }

    /// Writes that were prepared against the schema before go through, or are told by the one after.
    @Test("Writes beside a deployment succeed, or are refused by the new schema") func concurrentWrites() async throws {
        let store = try TemporaryStore(.production, pace: .slow).store
        try await store.schema.deploy(#"RECORD TYPE T (a STRING, GRANT CREATE TO "_icloud");"#)
        try await store.makeZone()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<30 {
                        let fields = #"{"a":{"value":"\#(number)"}}"#
                        let result = try await store.modify(
                            [operation(.create, "\(writer)-\(number)", type: "T", fields: fields)])
                        #expect(result.error() == nil)
                    }
                }
            }
            group.addTask {
                for number in 0..<6 {
                    let marks = number % 2 == 0 ? " QUERYABLE" : ""
                    let more = (0...number).map { "b\($0) STRING QUERYABLE, " }.joined()
                    try await store.schema.deploy(
                        #"RECORD TYPE T (\#(more) a STRING\#(marks), GRANT CREATE TO "_icloud");"#)
                }
                try await store.schema.deploy(
                    #"RECORD TYPE T (\#((0..<6).map { "b\($0) STRING QUERYABLE, " }.joined()) a STRING SORTABLE, "___recordID" REFERENCE QUERYABLE, GRANT CREATE TO "_icloud");"#
                )
            }
            try await group.waitForAll()
        }
        await store.stored.work.finished()
        #expect(try await store.query(#"{"recordType":"T"}"#, strict: true).names.count == 120)
        let sorted = try await store.query(
            #"{"recordType":"T","sortBy":{"fieldName":"a"},"filterBy":[\#(filter("___recordID", #""""#, "NOT_EQUALS"))]}"#,
            strict: true)
        #expect(sorted.names.count == 120)
        #expect(try await store.schema.buildProgress() == [])
    }

    @Test("A reset leaves production's schema and no records") func reset() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let shared = ZoneID(name: "Shared", owner: "_alice")
        try await store.makeZone()
        try await store.makeZone(shared)
        try await store.users.ensure("_alice")
        try await store.schema.apply("CREATE ROLE Other; RECORD TYPE Note (b STRING); RECORD TYPE Old (a STRING);")
        for zone in [ZoneID.notes, .home, .world, shared] {
            _ = try await store.modify([operation(.create, "r", fields: Self.fields)], zone: zone)
        }
        try await store.share("r", zone: shared, with: ["_bob"], permission: "NONE")
        try await store.subscribe("s", querySubscription())
        let database = try await store.zones.changes(owner: "_alice", syncToken: nil, limit: 10)
        let production = try definition("CREATE ROLE Editor; RECORD TYPE Note (a STRING QUERYABLE);")
        let changes = try await store.schema.reset(to: production)
        await store.stored.work.finished()
        #expect(changes.contains(.removeType("Old")) && changes.contains(.addRole("Editor")))
        #expect(store.records.catalog.roles == [1: "Editor"])
        #expect(store.records.catalog.types["Note"]?.fields.keys.sorted() == ["a"])
        #expect(try await store.users.usage(owner: nil) == Usage())
        for table in [
            "records", "elements", "record_references", "shares", "members", "subscriptions", "dropped_tables",
        ] {
            #expect(try await temporary.column("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(try await temporary.valuesTables().count == 3)
        let page = try await store.zones.changes(owner: "_alice", syncToken: database.syncToken, limit: 10)
        #expect(page.zones.count == 2)
        // Life goes on.
        try await store.users.ensure("_alice")
        #expect(try await store.exists("_alice", zone: .world))
        try await store.makeZone()
        #expect(try await store.modify([operation(.create, "r", fields: Self.fields)]).error() == nil)
        #expect(try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#).names == ["r"])
    }

    @Test("Import is for development, deploy for production") func environments() async throws {
        let (development, production) = (try TemporaryStore().store, try TemporaryStore(.production).store)
        await #expect(throws: ServerError.self) { try await production.schema.apply("RECORD TYPE T (a STRING);") }
        await #expect(throws: ServerError.self) { try await development.schema.deploy("RECORD TYPE T (a STRING);") }
        await #expect(throws: ServerError.self) { try await production.schema.reset(to: SchemaDefinition()) }
    }
}
