import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres
@testable import CloudStore

@Suite(.timeLimit(.minutes(5)))
struct LayoutTests {
    @Test("Running the migrations twice changes a schema once") func migrations() throws {
        let engine = PostgresEngine(url: try TestCluster.shared.get().url, root: "")
        let path = "/layout/\(UUID().uuidString).sqlite"
        #expect(try engine.locations.facts(of: path) == nil)
        for _ in 1...2 {
            let connection = try engine.opener.openForWriting(path)
            try Migrations.run(on: connection, name: path)
            #expect(try connection.use { try $0.hasTable("store") })
            #expect(try connection.use { try $0.first("SELECT count(*) FROM store") { $0.integer(0) } } == 1)
            try connection.close()
        }
        #expect(try engine.locations.facts(of: path)?.isEmpty == false)
    }

    @Test("A schema of version 0.3 gets the function over lists, whose plan is that of PostgreSQL's own")
    func lists() throws {
        let engine = PostgresEngine(url: try TestCluster.shared.get().url, root: "")
        let path = "/lists/\(UUID().uuidString)"
        let connection = try engine.opener.openForWriting(path)
        try Migrations.run(on: connection, name: path)
        try connection.use { db in
            try db.script("DROP FUNCTION json_each(text); DELETE FROM migrations WHERE name = 'postgres 2 lists'")
        }
        try Migrations.run(on: connection, name: path)
        try connection.use { db in
            let found = try db.all("SELECT value FROM json_each(?)", .text(#"["a",2]"#)) { $0.text(0) }
            #expect(found == ["a", "2"])
            var plan = ""
            let statement = "EXPLAIN SELECT 1 FROM zones WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))"
            try db.each(statement, [.list([1, 2])]) {
                plan += $0.text(0) + "\n"
                return true
            }
            #expect(plan.contains("Function Scan on json_array_elements_text"), "\(plan)")
        }
        #expect(try connection.migrationNames() == Set(Migrations.all.map(\.name)))
        try connection.close()
    }

    @Test("The index over points finds the positions in a box, for each zone")
    func points() throws {
        let engine = PostgresEngine(url: try TestCluster.shared.get().url, root: "")
        let path = "/points/\(UUID().uuidString)"
        let connection = try engine.opener.openForWriting(path)
        try Migrations.run(on: connection, name: path)
        let box = LocationBox(south: 10, north: 11, west: 20, east: 21)
        try connection.use { db in
            let search = LocationPoints().search([box, box], field: 7, zones: [1, 1 << 40])
            try db.script("ALTER TABLE locations DROP CONSTRAINT positions_record_fkey")
            try db.run(
                """
                INSERT INTO locations (record, field, zone, latitude, longitude)
                SELECT g, 7, 1, g % 80, g / 80 * 0.1 FROM generate_series(1, 20000) g
                """)
            try db.script("ANALYZE locations")
            var plan = ""
            try db.each("EXPLAIN SELECT p.record FROM \(search.source) WHERE \(search.condition)", search.values) {
                plan += $0.text(0) + "\n"
                return true
            }
            #expect(plan.contains("Index Scan") && plan.contains("locations_point"), "\(plan)")
        }
        try connection.close()
    }

    @Test("Distances equal those computed in Swift")
    func distance() throws {
        let engine = PostgresEngine(url: try TestCluster.shared.get().url, root: "")
        let connection = try engine.opener.openForWriting("/distance/\(UUID().uuidString)")
        let degrees = [
            (0.0, 0.0), (52.52, 13.405), (-33.87, 151.21), (90, 0), (-89.9, 179.999), (1e-7, -180), (52.52, 13.4051),
        ]
        let places = degrees.map { Coordinate(latitude: $0.0, longitude: $0.1) }
        for one in places {
            for other in places {
                let found = try connection.use { db in
                    try db.first(
                        "SELECT distance(?, ?, ?, ?)", .real(one.latitude), .real(one.longitude),
                        .real(other.latitude), .real(other.longitude)
                    ) { $0.real(0) }
                }
                #expect(found == one.distance(to: other))
            }
        }
    }

    @Test(
        "A schema's name follows from the database's path",
        arguments: [
            ("/data/containers/12-development.sqlite", "cumulus_containers_12_development"),
            ("/data/accounts.sqlite", "cumulus_accounts"), ("/data/containers/É.sqlite", "cumulus_containers___"),
        ])
    func schemaNames(path: String, name: String) {
        #expect(SchemaName.of(path, in: "/data/", prefix: "cumulus_") == name)
    }

    @Test("Long paths that differ have different schema names") func longNames() {
        let long = String(repeating: "a", count: 80)
        let names = Set(["1", "2"].map { SchemaName.of("/\(long)\($0).sqlite", in: "", prefix: "c_") })
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.utf8.count <= 63 })
    }
}
