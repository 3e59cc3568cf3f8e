import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Indexes of large types, built beside writes and queries.
@Suite(.timeLimit(.minutes(20)))
struct IndexBuildTests {
    private static func names(_ count: Int) -> [String] { (0..<count).map { "r\($0)" } }
    private static let byNew = #"{"recordType":"Note","filterBy":[\#(filter("new", #""x""#))]}"#

    private static let fields = "a STRING QUERYABLE, l LIST<STRING> QUERYABLE"
    private static let grown = fields + ", new STRING QUERYABLE SORTABLE"

    /// A type of ten records that has just got another field, so that its index waits at a gate.
    private func building() async throws -> (temporary: TemporaryStore, gate: Gate) {
        let (temporary, gate) = try await TemporaryStore.gated(schema: "RECORD TYPE Note (\(Self.fields));")
        let records = Self.names(10).map { operation(.create, $0, fields: #"{"a":{"value":"x"},"l":{"value":["x"]}}"#) }
        _ = try await temporary.store.modify(records)
        try await temporary.store.schema.apply("RECORD TYPE Note (\(Self.grown));")
        let result = try await temporary.store.modify([operation(.forceUpdate, "r1", fields: #"{"new":{"value":"x"}}"#)]
        )
        #expect(result.error() == nil)
        await gate.arrived()
        return (temporary, gate)
    }

    @Test("A query during a build is refused with the progress") func refusedQuery() async throws {
        let (temporary, gate) = try await building()
        let store = temporary.store
        func refusal() async -> String? {
            do throws { _ = try await store.query(Self.byNew) } catch let error as ServerError {
                #expect(error.code == .tryAgainLater && error.retryAfter == 5)
                return error.reason
            } catch {}
            return nil
        }
        #expect(await refusal() == "Field 'new' is being built: its index is 0 % complete")
        await gate.letOneThrough()
        await gate.letOneThrough()
        #expect(await refusal() == "Field 'new' is being built: its index is 20 % complete")
        #expect(
            try await store.schema.buildProgress() == [
                IndexBuildProgress(type: "Note", fields: ["new"], done: 2, total: 10)
            ])
        // What was there before is answered all along.
        #expect(
            try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#).names.count == 10)
        #expect(try await store.query(#"{"recordType":"Note"}"#).names.count == 10)
        await #expect(throws: ServerError.self) {
            try await store.query(#"{"recordType":"Note","sortBy":{"fieldName":"new"}}"#)
        }
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.query(Self.byNew).names == ["r1"])
        #expect(try await store.schema.buildProgress() == [])
        #expect(try await temporary.valuesTables().contains("values_3_1"))
        #expect(try await temporary.valuesTables().count == 3)
        try await store.close()
    }

    @Test(
        "A marked field of an imported schema is refused until its index is built",
        arguments: ["", " SEARCHABLE", " SORTABLE", " QUERYABLE"])
    func importedField(marks: String) async throws {
        let (temporary, gate) = try await building()
        let store = temporary.store
        try await store.schema.apply("RECORD TYPE Note (\(Self.grown), extra STRING\(marks));")
        let isMarked = marks == " SORTABLE" || marks == " QUERYABLE"
        for text in [
            #"{"recordType":"Note","filterBy":[\#(filter("extra", #""x""#))]}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"extra"}}"#,
        ] {
            guard isMarked else {
                _ = try await store.query(text)
                continue
            }
            let error = await #expect(throws: ServerError.self) { try await store.query(text) }
            #expect(error?.code == .tryAgainLater)
        }
        gate.openForGood()
        await store.stored.work.finished()
        #expect(
            try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("extra", #""x""#))]}"#).names == [])
        try await store.close()
    }

    @Test("A query uses the index once it is built", .enabled(if: !ChosenEngine.isPostgres, "reads a plan of SQLite"))
    func newIndex() async throws {
        let (temporary, gate) = try await building()
        gate.openForGood()
        await temporary.store.stored.work.finished()
        let type = try #require(temporary.store.records.catalog.types["Note"])
        let column = try #require(type.fields["new"].map { "f\($0.id)" })
        #expect(type.generation == 1 && type.building == nil && type.unbuilt.isEmpty)
        let query = try ResolvedQuery(
            Query(json(Self.byNew), limits: Limits()), catalog: temporary.store.records.catalog, strict: false,
            zone: .notes,
            limits: Limits())
        let steps = try temporary.read { db in
            let zone = try ZoneTable.find(.notes, db).map { [$0.id] } ?? []
            let plan = try QueryPlan(query, zones: QueryZones(whole: zone), zoneWide: false, creator: nil, db)
            var steps: [String] = []
            for statement in plan.statements(after: nil) {
                try db.each("EXPLAIN QUERY PLAN " + statement.sql, statement.values + [.integer(10)]) {
                    steps.append($0.text(3))
                    return true
                }
            }
            return steps
        }
        #expect(steps.contains { $0.hasPrefix("SEARCH v USING") && $0.contains("values_3_1_\(column)") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        try await temporary.store.close()
    }

    @Test("An index build continues after the file is reopened", arguments: [1, 2, 4, 6])
    func reopening(steps: Int) async throws {
        let (temporary, gate) = try await building()
        for _ in 0..<steps { await gate.letOneThrough() }
        try await temporary.store.close()
        let reopened = try temporary.open(pace: .slow)
        await reopened.stored.work.finished()
        #expect(try await reopened.query(Self.byNew).names == ["r1"])
        #expect(try await reopened.query(#"{"recordType":"Note"}"#).names.count == 10)
        #expect(try await temporary.valuesTables().count == 3)
        #expect(try await temporary.column("SELECT count(*) FROM builds") == ["0"])
        try await reopened.close()
    }

    /// Creations, changes and deletions before and behind the place it has come to.
    @Test("Records written during a build are in the new table") func concurrentWrites() async throws {
        let (temporary, gate) = try await building()
        let store = temporary.store
        for step in 0..<6 {
            let result = try await store.modify([
                operation(.forceUpdate, "r\(step)", fields: #"{"new":{"value":"x"},"a":{"value":"\#(step)"}}"#),
                operation(.forceDelete, "r\(9 - step)"),
                operation(.create, "s\(step)", fields: #"{"new":{"value":"x"},"l":{"value":["y"]}}"#),
            ])
            #expect(result.errors.allSatisfy { $0 == nil })
            if step < 4 { await gate.letOneThrough() }
        }
        // What a query asks for on the way is the next build's.
        _ = try await store.modify([operation(.create, "t", fields: #"{"more":{"value":"x"}}"#)])
        let byMore = #"{"recordType":"Note","filterBy":[\#(filter("more", #""x""#))]}"#
        #expect(try await store.query(byMore).names == ["t"])
        #expect(try await store.schema.buildProgress().map(\.fields) == [["new"], ["more"]])
        #expect(try await store.schema.buildProgress().map(\.state) == [.building, .waiting])
        // More records have come than there were.
        #expect(try await store.schema.buildProgress().allSatisfy { $0.done <= $0.total })
        gate.openForGood()
        await store.stored.work.finished()
        let names = Set(["r0", "r1", "r2", "r3", "r5"] + (0..<6).map { "s\($0)" })
        #expect(Set(try await store.query(Self.byNew).names) == names)
        #expect(Set(try await store.query(#"{"recordType":"Note"}"#).names) == names.union(["t"]))
        #expect(try await store.query(byMore).names == ["t"])
        #expect(store.records.catalog.types["Note"]?.generation == 2)
        try await store.close()
    }

    @Test("A zone deleted during a build is gone from both tables") func deletedZone() async throws {
        let (temporary, gate) = try await building()
        let store = temporary.store
        for _ in 0..<3 { await gate.letOneThrough() }
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        _ = try await store.modify([operation(.create, "home", fields: #"{"new":{"value":"x"}}"#)], zone: .home)
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.query(Self.byNew, zone: .home).names == ["home"])
        #expect(try await temporary.column("SELECT count(*) FROM values_3_1") == ["1"])
        try await store.close()
    }

    /// A type removed while its index is being built takes the build along.
    @Test("A type removed during a build ends the build") func removedType() async throws {
        let (temporary, gate) = try await building()
        let store = temporary.store
        for _ in 0..<2 { await gate.letOneThrough() }
        try await store.schema.apply("")
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await store.query(#"{"recordType":"Users"}"#, zone: .world).names == [])
        #expect(try await temporary.valuesTables() == ["values_1", "values_2"])
        #expect(try await store.changes().names.allSatisfy { $0.hasPrefix("-") })
        try await store.close()
    }

    /// Queries and lookups that began under an older schema take the newer one.
    @Test("Readers never use a table that was dropped") func droppedTable() async throws {
        let temporary = try TemporaryStore(pace: .slow)
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify(Self.names(12).map { operation(.create, $0, fields: #"{"a":{"value":"x"}}"#) })
        let old = store.records.catalog
        try await withThrowingTaskGroup(of: Void.self) { group in
            let done = Done()
            group.addTask {
                defer { done.set() }
                for number in 0..<8 {
                    try await store.schema.apply(
                        "RECORD TYPE Note (a STRING QUERYABLE, b\(number) STRING QUERYABLE); RECORD TYPE T\(number) (a STRING);"
                    )
                    await store.stored.work.finished()
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    while !done.isSet {
                        let found = try await store.query(
                            #"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#)
                        #expect(found.names.count == 12)
                        // A read may never have to wait, and so would keep its thread from others.
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((store.records.catalog.types["Note"]?.generation ?? 0) >= 8)
        let request = QueryRequest(
            zone: .notes, zoneWide: false, query: try Query(json(#"{"recordType":"Note"}"#), limits: Limits()),
            continuationMarker: nil, limit: 100, strict: false, caller: .alice, limits: Limits())
        let secret = store.stored.tokens.secret
        let page = try await store.stored.reads.read { db in
            try request.run(
                db, catalog: CatalogReader.current(old, db), roles: RoleMemory().reader(), secret: secret)
        }
        #expect(page.records.count == 12)
        try await store.close()
    }

    /// Builds that a migration has queued run when the file is opened, at once where they are small.
    @Test("Builds queued by a migration run when the file is opened", arguments: [(BuildPace(), true), (.slow, false)])
    func queued(pace: BuildPace, atOnce: Bool) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify(
            Self.names(9).map { operation(.create, $0, fields: #"{"a":{"value":"x"},"l":{"value":["1","2"]}}"#) })
        let type = try #require(temporary.store.records.catalog.types["Note"])
        try await temporary.store.close()
        try temporary.write { db in
            try db.script("DELETE FROM elements")
            try IndexBuilds.queue(type: type.id, derivingAll: true, db)
        }
        let reopened = try temporary.open(pace: pace)
        if !atOnce { await reopened.stored.work.finished() }
        #expect(reopened.records.catalog.types["Note"]?.generation == 1)
        #expect(try await temporary.column("SELECT count(*) FROM elements") == ["18"])
        #expect(
            try await reopened.query(#"{"recordType":"Note","filterBy":[\#(filter("l", #""2""#, "LIST_CONTAINS"))]}"#)
                .names.count == 9)
        try await reopened.close()
    }
}
