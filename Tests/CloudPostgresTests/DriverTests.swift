import CloudModel
import CloudSQL
import CloudStore
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres

@Suite(.timeLimit(.minutes(1)))
struct DriverTests {
    private let schema = "driver_\(UUID().uuidString.prefix(8).lowercased())"
    private let server: PostgresServer

    init() throws {
        server = PostgresServer(url: try TestCluster.shared.get().url)
        try PostgresConnection(server, schema: schema).makeSchema(note: "a test")
    }

    private func connect(row: LockedRow? = nil) -> SQLConnection {
        SQLConnection(PostgresDriver(server, schema: schema, .init(row: row)))
    }

    @Test(
        "Values written to PostgreSQL are read back unchanged",
        arguments: [
            SQLValue.null, .integer(.min), .integer(.max), .real(.leastNonzeroMagnitude), .real(-.infinity), .text(""),
            .text("é\u{1F600}"),
            .blob([]), .blob([0, 255]),
        ])
    func roundTrip(value: SQLValue) throws {
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

    @Test("A value of another type than its column's is refused, not converted")
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

    @Test("A column without a type stores whole reals as integers")
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

    @Test("A statement can run while the rows of another are read") func nestedStatement() throws {
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

    @Test("An error thrown by the row reader leaves the connection usable") func readerError() throws {
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

    @Test("An error undoes its savepoint alone, and COMMIT reports a transaction ended by an error")
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
        let loss = #expect(throws: ServerError.self) { try db.run("INSERT INTO l (id) VALUES (1)") }
        #expect(loss?.code == .tryAgainLater && loss?.retryAfter != nil)
        #expect(throws: ServerError.self) { try db.run("INSERT INTO l (id) VALUES (2)") }
        #expect(!db.isInsideTransaction)
        try db.rollBack()
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO l (id) VALUES (3)")
        try db.run("COMMIT")
        #expect(try db.all("SELECT id FROM l") { $0.integer(0) } == [3])
    }

    @Test("A silent server is given up after the deadline")
    func deadline() throws {
        var limits = PostgresLimits()
        limits.answerTime = .milliseconds(500)
        let link = try PostgresServer(url: TestCluster.shared.get().url, limits: limits).connect()
        let error = #expect(throws: SQLError.self) { try link.script("SELECT pg_sleep(30)") }
        #expect(error?.kind == .unusable)
        #expect(!link.isOpen)
    }

    @Test("A cancelled read ends its statement on the server") func cancelledRead() throws {
        let connection = PostgresConnection(server, schema: schema)
        connection.endStatements(every: 1) { true }
        let error = #expect(throws: SQLError.self) {
            try connection.read { db in try db.run("SELECT 1 FROM pg_sleep(30)") }
        }
        #expect(error?.kind == .interrupted)
    }

    @Test("A commit whose answer was lost is looked up", arguments: [true, false])
    func lostCommit(arrives: Bool) throws {
        let made = connect()
        try makeRow(made)
        try made.script("CREATE TABLE c (id INTEGER)")
        let driver = PostgresDriver(server, schema: schema, .init(row: .records))
        let db = SQLConnection(driver)
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO c (id) VALUES (1)")
        // As a network does: the statement arrives or not, its answer does not.
        if arrives { try driver.link?.script("COMMIT") }
        driver.link?.close()
        if arrives {
            try db.run("COMMIT")
        } else {
            #expect(throws: ServerError.self) { try db.run("COMMIT") }
            try db.rollBack()
        }
        #expect(try connect().first("SELECT count(*) FROM c") { $0.integer(0) } == (arrives ? 1 : 0))
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO c (id) VALUES (2)")
        try db.run("COMMIT")
        #expect(try connect().exists("SELECT 1 FROM c WHERE id = 2"))
    }

    @Test("Numbers keep their order without rounding, in the database as in Swift")
    func numberKeys() throws {
        let integers: [Int64] = [
            .min, .min + 1, -(1 << 53) - 1, -(1 << 53), -3, 0, 1, 3, 1 << 53, 1 << 53 + 1, 9_007_199_254_740_993,
            .max - 1, .max,
        ]
        let reals: [Double] = [-1e300, -9.3e18, -2.5, -0.0, .leastNonzeroMagnitude, 2.5, 3, 9_007_199_254_740_992, 9.3e18, 1e300]
        let db = connect()
        for integer in integers {
            let key = try db.first("SELECT untyped(CAST(? AS BIGINT))", .integer(integer)) { $0.blob(0) }
            #expect(key == NumberKey(integer).bytes, "\(integer)")
            #expect(NumberKey(bytes: NumberKey(integer).bytes)?.digits == "\(integer)")
        }
        for real in reals {
            let key = try db.first("SELECT untyped(CAST(? AS DOUBLE PRECISION))", .real(real)) { $0.blob(0) }
            #expect(key == NumberKey(real).bytes, "\(real)")
            let isWhole = try db.first("SELECT is_whole(?)", .blob(NumberKey(real).bytes)) { $0.bool(0) }
            #expect(isWhole == (Int64(exactly: real) != nil), "\(real)")
        }
        let sorted = integers.sorted().map { NumberKey($0).bytes }
        #expect(sorted.sorted { $0.lexicographicallyPrecedes($1) } == sorted)
        let keys = reals.map { NumberKey($0).bytes }
        #expect(keys.sorted { $0.lexicographicallyPrecedes($1) } == keys)
        #expect(NumberKey(3 as Int64) == NumberKey(3.0))
        #expect(NumberKey(2.5).bytes.lexicographicallyPrecedes(NumberKey(3 as Int64).bytes))
        #expect(
            NumberKey(9_007_199_254_740_992.0).bytes.lexicographicallyPrecedes(
                NumberKey(9_007_199_254_740_993 as Int64).bytes))
    }

    @Test("Deferred rows are written together in one round trip") func deferredRows() throws {
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

    @Test("Rows of each type, and nulls, survive a batch write")
    func arrays() throws {
        let db = connect()
        try db.script("CREATE TABLE a (id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, b BLOB)")
        let insertion = DeferredStatement(insert: "INSERT INTO a (id, i, r, t, b)", columns: 5, rank: 0)
        let rows: [[SQLValue]] = [
            [.integer(1), .integer(.min), .real(.infinity), .text("é{\"},NULL"), .blob([0, 255])],
            [.integer(2), .null, .null, .null, .null],
            [.integer(3), .integer(.max), .real(.leastNonzeroMagnitude), .text(""), .blob([])],
        ]
        for row in rows { try db.later(insertion, row) }
        try db.writeDeferred()
        let found = try db.all("SELECT id, i, r, t, b FROM a ORDER BY id") { row in (0..<5).map(row.value) }
        #expect(found == rows)
    }

    @Test("A failing deferred statement undoes its savepoint alone, and the transaction continues")
    func brokenBatch() throws {
        let db = connect()
        try db.script("CREATE TABLE p (id INTEGER PRIMARY KEY)")
        let insertion = DeferredStatement(insert: "INSERT INTO p (id)", columns: 1, rank: 1)
        let change = DeferredStatement("UPDATE p SET id = id + ?", rank: 0)
        try db.run("BEGIN IMMEDIATE")
        try db.run("INSERT INTO p (id) VALUES (1)")
        db.beginSavepoint("request")
        for id in [2, 3, 11] { try db.later(insertion, [.integer(Int64(id))]) }
        try db.later(change, [.integer(10)])
        let error = #expect(throws: SQLError.self) { try db.writeDeferred() }
        #expect(error?.kind == .constraint)
        try db.undoSavepoint()
        try db.later(insertion, [.integer(4)])
        try db.endSavepoint()
        try db.run("COMMIT")
        #expect(try db.all("SELECT id FROM p ORDER BY id") { $0.integer(0) } == [1, 4])
    }

    @Test("Reads run in turn on one connection, which can be released between them")
    func readsInTurn() throws {
        let connection = PostgresConnection(server, schema: schema)
        for number in 1...20 {
            let found = try connection.read { db in
                try db.first("SELECT CAST(? AS BIGINT)", .integer(Int64(number))) { $0.integer(0) }
            }
            #expect(found == Int64(number))
            #expect(try connection.use { !$0.isInsideTransaction })
        }
        connection.letGo()
        #expect(try connection.read { try $0.exists("SELECT 1") })
    }

    /// Makes the row that writers lock.
    private func makeRow(_ db: SQLConnection) throws {
        try db.script("CREATE TABLE store (position INTEGER)")
        try TestCluster.shared.get().run("SET search_path = \(schema); \(LockedRow.records.layout)")
        try db.run("INSERT INTO store (position) VALUES (0)")
    }

    /// Returns once a connection waits for the row that writers lock.
    private func untilSomebodyWaits() async throws {
        let waiting =
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%RETURNING groups%'"
        while try !connect().exists(waiting) { await Task.yield() }
    }

    @Test("A writer waits for the other writer's commit, and then sees it")
    func lock() async throws {
        let first = connect(row: .records)
        try makeRow(first)
        try first.run("BEGIN IMMEDIATE")
        try first.run("UPDATE store SET position = 1")
        let second = PostgresConnection(server, schema: schema, row: .records)
        async let seen = onThread {
            try second.write { db in try db.first("SELECT position FROM store") { $0.integer(0) } }
        }
        try await untilSomebodyWaits()
        try first.run("COMMIT")
        #expect(try await seen == 1)
    }

    @Test("A writer learns which group was written last, by another server or by itself")
    func writers() async throws {
        let first = connect(row: .records)
        try makeRow(first)
        try first.run("BEGIN IMMEDIATE")
        let writing = try #require(first.writers)
        #expect(writing.last == nil)
        try first.run("UPDATE store SET position = 1")
        let second = PostgresConnection(server, schema: schema, row: .records)
        async let seen = onThread {
            try second.write { db in
                try db.run("UPDATE store SET position = 2")
                return db.writers
            }
        }
        try await untilSomebodyWaits()
        try first.run("COMMIT")
        let waited = try #require(try await seen)
        #expect(waited.last == writing.current)
        let again = try #require(try second.write { db in db.writers })
        #expect(again.last == waited.current)
        try first.run("BEGIN IMMEDIATE")
        // Only what is committed counts.
        #expect(first.writers?.last == again.current)
        try first.rollBack()
        try first.run("BEGIN DEFERRED")
        #expect(first.writers == nil)
        try first.rollBack()
    }
}

/// Runs what waits for a lock on a thread of its own: those of tasks are few.
private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
