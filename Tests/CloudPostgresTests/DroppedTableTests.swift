import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres
@testable import CloudStore

/// What a schema change leaves behind, and whoever still reads it.
@Suite(.timeLimit(.minutes(5)))
struct DroppedTableTests {
    private let server: PostgresServer
    private let connection: PostgresConnection
    private let schema = "dropped_\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
        server = PostgresServer(url: try TestCluster.shared.get().url)
        connection = PostgresConnection(server, schema: schema)
        try connection.makeSchema(note: "a test")
        try connection.use { db in
            try db.script(
                """
                CREATE TABLE dropped_tables (name TEXT PRIMARY KEY);
                CREATE TABLE dropped_indexes (name TEXT PRIMARY KEY);
                CREATE TABLE values_1 (zone BIGINT, id BIGINT, n BIGINT, PRIMARY KEY (zone, id));
                CREATE INDEX values_1_n ON values_1(n)
                """)
            for id in Int64(1)...200 {
                try db.run("INSERT INTO values_1 (zone, id, n) VALUES (1, ?, 1)", .integer(id))
            }
        }
    }

    private func drop(_ connection: PostgresConnection, steps: Int) throws {
        try connection.use { db in
            try DroppedTables.add("values_1", db)
            for _ in 0..<steps { #expect(try DroppedTables.step(WorkSlice(rows: 1, lasting: .zero), db)) }
            #expect(try !DroppedTables.step(WorkSlice(rows: 1, lasting: .zero), db))
        }
    }

    @Test("A table with rows and an index is dropped in one step")
    func oneStep() throws {
        try drop(connection, steps: 1)
        #expect(
            try connection.read { db in try db.first("SELECT to_regclass('values_1')::TEXT") { $0.optionalText(0) } }
                == .some(nil))
    }

    @Test("A reader whose snapshot predates a dropped table is told to retry")
    func lateReader() throws {
        let reader = PostgresConnection(server, schema: schema)
        try reader.use { db in
            try db.run("BEGIN DEFERRED")
            _ = try db.first("SELECT name FROM dropped_tables") { $0.text(0) }
            try drop(connection, steps: 1)
            let error = #expect(throws: ServerError.self) {
                try db.first("SELECT n FROM values_1") { $0.integer(0) }
            }
            #expect(error?.code == .tryAgainLater)
            try db.rollBack()
        }
    }
}
