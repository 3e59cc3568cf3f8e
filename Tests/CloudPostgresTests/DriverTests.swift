import CloudSQL
import CloudStore
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

@Suite(.timeLimit(.minutes(1)))
struct DriverTests {
    private let schema = "driver_\(UUID().uuidString.prefix(8).lowercased())"
    private let settings: PostgresLink.Settings

    init() throws {
        settings = PostgresLink.Settings(url: try TestCluster.shared.get().url)
        try PostgresConnection(settings, schema: schema).makeSchema()
    }

    private func connect(lock: String? = nil) -> SQLConnection {
        SQLConnection(PostgresDriver(settings, schema: schema, .init(lock: lock)))
    }

    @Test(arguments: [
        SQLValue.null, .integer(.min), .integer(.max), .real(.leastNonzeroMagnitude), .real(-.infinity), .text(""),
        .text("é\u{1F600}"),
        .blob([]), .blob([0, 255]),
    ])
    func valuesComeBackAsTheyWere(value: SQLValue) throws {
        let db = connect()
        let column =
            switch value {
            case .integer: "i"
            case .real: "r"
            case .text: "t"
            case .null, .blob: "b"
            }
        try db.script("CREATE TABLE v (i INTEGER, r REAL, t TEXT, b BLOB)")
        try db.run("INSERT INTO v (\(column)) VALUES (?)", value)
        #expect(try db.first("SELECT \(column) FROM v") { $0.value(0) } == value)
        #expect(try db.exists("SELECT 1 FROM v WHERE \(column) IS ?", value))
    }

    @Test("A value of another kind than its column's is refused, not stored as something else")
    func mismatch() throws {
        let db = connect()
        try db.script("CREATE TABLE m (i INTEGER, t TEXT, r REAL)")
        for (column, value) in [("i", SQLValue.real(2.5)), ("i", .text("12345678")), ("t", .integer(4))] {
            let error = #expect(throws: SQLError.self) {
                try db.run("INSERT INTO m (\(column)) VALUES (?)", value)
            }
            #expect(error?.message.contains("bound to a parameter") == true)
        }
        #expect(try db.first("SELECT count(*) FROM m") { $0.integer(0) } == 0)
    }

    @Test("A column without a type holds whole reals as the integers they equal")
    func untyped() throws {
        let db = connect()
        try db.script("CREATE TABLE u (value)")
        for value in [SQLValue.integer(3), .real(3), .real(2.5), .text("a\u{0}b")] {
            try db.run("INSERT INTO u (value) VALUES (?)", value)
        }
        #expect(try db.first("SELECT count(*) FROM u WHERE value = ?", .real(3)) { $0.integer(0) } == 2)
        #expect(try db.exists("SELECT 1 FROM u WHERE value = untyped(CAST(2.5 AS DOUBLE PRECISION))"))
        #expect(try db.exists("SELECT 1 FROM u WHERE value = untyped(CAST(3 AS BIGINT))"))
        #expect(try db.exists("SELECT 1 FROM u WHERE value = ?", .text("a\u{0}b")))
    }

    @Test func aStatementWithinTheRowsOfAnother() throws {
        let db = connect()
        try db.script("CREATE TABLE n (id INTEGER)")
        for id in 1...5 { try db.run("INSERT INTO n (id) VALUES (?)", .integer(Int64(id))) }
        var sums: [Int64] = []
        try db.each("SELECT id FROM n ORDER BY id") { row in
            let id = row.integer(0)
            let sum = try db.first("SELECT CAST(sum(id) AS BIGINT) FROM n WHERE id <= ?", .integer(id)) {
                $0.integer(0)
            }
            sums.append(sum ?? 0)
            return true
        }
        #expect(sums == [1, 3, 6, 10, 15])
    }

    @Test func anErrorOfTheReaderLeavesTheConnection() throws {
        let db = connect()
        try db.run("BEGIN IMMEDIATE")
        #expect(throws: CancellationError.self) {
            try db.each("SELECT 1 FROM generate_series(1, 100000)") { _ in
                throw CancellationError()
            }
        }
        #expect(db.isInsideTransaction)
        try db.run("COMMIT")
    }

    @Test("What a savepoint has had is undone after an error, and COMMIT says when an error has ended it all")
    func errors() throws {
        let db = connect()
        try db.script("CREATE TABLE e (id INTEGER PRIMARY KEY)")
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO e (id) VALUES (1)")
        db.beginSavepoint("request")
        let error = #expect(throws: SQLError.self) { try db.run("INSERT INTO e (id) VALUES (1)") }
        #expect(error?.kind == .constraint)
        #expect(db.isInsideTransaction)
        try db.undoSavepoint()
        try db.endSavepoint()
        try db.run("COMMIT")
        #expect(try db.first("SELECT count(*) FROM e") { $0.integer(0) } == 1)
        try db.run("BEGIN IMMEDIATE")
        _ = try? db.run("INSERT INTO e (id) VALUES (1)")
        let end = #expect(throws: SQLError.self) { try db.run("COMMIT") }
        #expect(end?.kind == .aborted)
    }

    @Test("A connection lost in a transaction runs nothing outside it, and the next transaction has a new one")
    func lost() throws {
        let db = connect()
        try db.script("CREATE TABLE l (id INTEGER)")
        try db.run("BEGIN IMMEDIATE")
        let process = try #require(try db.first("SELECT pg_backend_pid()") { $0.integer(0) })
        try connect().first("SELECT pg_terminate_backend(CAST(? AS INTEGER))", .integer(process)) { _ in }
        #expect(throws: SQLError.self) { try db.run("INSERT INTO l (id) VALUES (1)") }
        #expect(throws: SQLError.self) { try db.run("INSERT INTO l (id) VALUES (2)") }
        #expect(!db.isInsideTransaction)
        try db.rollBack()
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO l (id) VALUES (3)")
        try db.run("COMMIT")
        #expect(try db.all("SELECT id FROM l") { $0.integer(0) } == [3])
    }

    @Test("A server that says nothing is given up after the deadline")
    func deadline() throws {
        var settings = settings
        settings.answer = 0.5
        let link = try PostgresLink(settings)
        let error = #expect(throws: SQLError.self) { try link.script("SELECT pg_sleep(30)") }
        #expect(error?.kind == .unusable)
        #expect(!link.isOpen)
    }

    @Test func aReadNobodyWantsIsEnded() throws {
        let connection = PostgresConnection(settings, schema: schema)
        connection.endStatements(every: 1) { true }
        let error = #expect(throws: SQLError.self) {
            try connection.read { db in try db.run("SELECT 1 FROM pg_sleep(30)") }
        }
        #expect(error?.kind == .interrupted)
    }

    @Test func manyRowsWaitAndAreWrittenTogether() throws {
        let db = connect()
        try db.script("CREATE TABLE w (id INTEGER PRIMARY KEY, name TEXT)")
        let insertion = DeferredStatement(
            insert: "INSERT INTO w (id, name)", columns: 2,
            replacing: "ON CONFLICT (id) DO UPDATE SET name = excluded.name", rank: 0)
        for _ in 1...2 {
            for id in 1...300 { try db.later(insertion, [.integer(Int64(id)), .text("n\(id)")]) }
            try db.writeDeferred()
        }
        #expect(try db.first("SELECT count(*) FROM w") { $0.integer(0) } == 300)
    }

    @Test("Who writes waits for the other writer's commit, and then sees it")
    func lock() async throws {
        let first = connect(lock: "SELECT position FROM store FOR UPDATE")
        try first.script("CREATE TABLE store (position INTEGER)")
        try first.run("INSERT INTO store (position) VALUES (0)")
        try first.run("BEGIN IMMEDIATE")
        try first.run("UPDATE store SET position = 1")
        let second = PostgresConnection(settings, schema: schema, lock: "SELECT position FROM store FOR UPDATE")
        let seen = Task.detached {
            try second.write { db in try db.first("SELECT position FROM store") { $0.integer(0) } }
        }
        // Until the other waits for the row.
        let waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE'"
        while try !connect().exists(waiting) { await Task.yield() }
        try first.run("COMMIT")
        #expect(try await seen.value == 1)
    }
}
