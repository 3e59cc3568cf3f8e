import CloudModel
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

@Suite(.timeLimit(.minutes(5)))
struct PlanAgeTests {
    @Test(
        "Plans are renewed after 16 writing transactions, and then at four times the previous count",
        arguments: [
            (writes: 0, renewals: [16, 64, 256, 1024]), (writes: 3, renewals: [16, 64, 256, 1024]),
            (writes: 4, renewals: [16, 64, 256, 1024]), (writes: 5, renewals: [20, 80, 320, 1280]),
            (writes: 1000, renewals: [4000, 16000, 64000]),
        ])
    func rule(writes: Int, renewals: [Int]) {
        var age = PlanAge(writes: writes)
        let found = (writes...(renewals.last ?? 0)).filter { age.mustRenew(writes: $0) }
        #expect(found == renewals)
    }

    @Test("A connection that was idle during many writes renews its plans once")
    func leap() {
        var age = PlanAge()
        #expect([15, 500, 500, 1999, 2000].map { age.mustRenew(writes: $0) } == [false, true, false, false, true])
    }

    @Test("A reader's plan for an empty table changes as other connections fill the table")
    func growth() throws {
        let schema = "plans_\(UUID().uuidString.prefix(8).lowercased())"
        let server = PostgresServer(url: try TestCluster.shared.get().url)
        try PostgresConnection(server, schema: schema).makeSchema(note: "a test")
        let (reading, writing) = (PostgresDriver(server, schema: schema), PostgresDriver(server, schema: schema))
        let (reader, writer) = (SQLConnection(reading), SQLConnection(writing))
        try writer.script(
            """
            CREATE TABLE plants (id INTEGER PRIMARY KEY, kind INTEGER);
            CREATE INDEX plants_kind ON plants(kind)
            """)
        // PostgreSQL itself renews plans when it has taken statistics, which it may do at any time.
        try writing.run("ALTER TABLE plants SET (autovacuum_enabled = off)")
        // Without it PostgreSQL plans the first five times for the values, and keeps none of these plans.
        try reading.run("SET plan_cache_mode = force_generic_plan")
        func look() throws {
            try reader.transaction("BEGIN DEFERRED") {
                _ = try reader.first("SELECT id FROM plants WHERE kind = ? LIMIT 50", .integer(7)) { _ in }
            }
        }
        func plan() throws -> String {
            let name = try reading.run("SELECT name FROM pg_prepared_statements WHERE statement LIKE '%plants WHERE%'")
            return try reading.run("EXPLAIN EXECUTE \(name?.firstText ?? "")(7)")?.firstText ?? ""
        }
        try look()
        let first = try plan()
        // One transaction, which is no growth that is counted. That the plan of the empty table is kept after it is not
        // asserted: a cluster whose other connections make many tables may have all plans made anew at any time.
        try writing.run("INSERT INTO plants SELECT g, g / 10 FROM generate_series(1, 100000) g")
        try look()
        for id in 0..<16 {
            _ = try writer.transaction {
                try writer.run("INSERT INTO plants (id, kind) VALUES (?, 1)", .integer(Int64(200_000 + id)))
            }
        }
        try look()
        #expect(try plan() != first)
    }
}
