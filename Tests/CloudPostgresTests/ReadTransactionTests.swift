import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

/// A transaction that reads begins with its first statement.
@Suite(.timeLimit(.minutes(5)))
struct ReadTransactionTests {
    private let server: PostgresServer
    private let connection: PostgresConnection
    private let schema = "reads_\(UUID().uuidString.prefix(8).lowercased())"

    init() throws {
        server = PostgresServer(url: try TestCluster.shared.get().url)
        connection = PostgresConnection(server, schema: schema)
        try connection.makeSchema(note: "a test")
        try connection.use { db in
            try db.script("CREATE TABLE n (id BIGINT)")
            for id in Int64(1)...3 { try db.run("INSERT INTO n (id) VALUES (?)", .integer(id)) }
        }
    }

    private func ids(_ db: SQLConnection) throws -> [Int64] {
        try db.all("SELECT id FROM n ORDER BY id") { $0.integer(0) }
    }

    @Test("A read transaction sees the moment of its first statement, and cannot write")
    func snapshot() throws {
        let other = PostgresConnection(server, schema: schema)
        try connection.use { db in
            try db.run("BEGIN DEFERRED")
            #expect(db.isInsideTransaction)
            // Nothing has been read, so nothing is old yet.
            try other.use { _ = try $0.run("INSERT INTO n (id) VALUES (4)") }
            #expect(try ids(db) == [1, 2, 3, 4])
            try other.use { _ = try $0.run("INSERT INTO n (id) VALUES (5)") }
            #expect(try ids(db) == [1, 2, 3, 4])
            #expect(throws: SQLError.self) { try db.run("INSERT INTO n (id) VALUES (6)") }
            try db.rollBack()
            #expect(!db.isInsideTransaction)
            #expect(try ids(db) == [1, 2, 3, 4, 5])
        }
    }

    @Test("A read transaction without a statement ends unchanged", arguments: ["COMMIT", "ROLLBACK"])
    func unused(end: String) throws {
        try connection.use { db in
            try db.run("BEGIN DEFERRED")
            try db.run(end)
            #expect(!db.isInsideTransaction)
            try db.run("INSERT INTO n (id) VALUES (4)")
        }
        #expect(try connection.read(ids) == [1, 2, 3, 4])
    }

    @Test("A failing first statement ends the transaction and keeps the connection")
    func failure() throws {
        #expect(throws: SQLError.self) { try connection.read { db in try db.run("SELECT nothing FROM n") } }
        #expect(throws: SQLError.self) { try connection.read { db in try db.run("SELECT 1 / (id - id) FROM n") } }
        #expect(try connection.read(ids) == [1, 2, 3])
    }

    @Test("A first statement may run other statements within its rows, and may be left before its last row")
    func rows() throws {
        let sums = try connection.read { db in
            var sums: [Int64] = []
            try db.each("SELECT id FROM n ORDER BY id") { row in
                let id = row.integer(0)
                try db.each("SELECT id FROM n WHERE id >= ?", [.integer(id)]) {
                    sums.append(id + $0.integer(0))
                    return false
                }
                return id < 2
            }
            return sums
        }
        #expect(sums == [2, 4])
        #expect(try connection.read(ids) == [1, 2, 3])
    }

    @Test("A connection cut between two reads is replaced, and one cut within a read fails")
    func cut() throws {
        let other = SQLConnection(PostgresDriver(server, schema: schema))
        func cutOff(_ process: Int64?) throws {
            try other.first("SELECT pg_terminate_backend(CAST(? AS INTEGER))", .integer(process ?? 0)) { _ in }
        }
        let process = "SELECT CAST(pg_backend_pid() AS BIGINT)"
        try cutOff(connection.read { try $0.first(process) { $0.integer(0) } })
        #expect(try connection.read(ids) == [1, 2, 3])
        #expect(throws: (any Error).self) {
            try connection.read { db in
                try cutOff(db.first(process) { $0.integer(0) })
                return try ids(db)
            }
        }
        #expect(try connection.read(ids) == [1, 2, 3])
    }
}
