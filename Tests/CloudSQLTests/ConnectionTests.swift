import CloudSQL
import Testing

/// Statements, transactions and caches of a connection, without a database.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionTests {
    private struct Stop: Error {}

    private let driver = RecordingDriver()
    private let db: SQLConnection

    init() { db = SQLConnection(driver) }

    @Test("A transaction commits, and one that throws is rolled back with its error") func transactions() throws {
        #expect(try db.transaction { 7 } == 7)
        #expect(driver.take() == ["BEGIN IMMEDIATE", "COMMIT"])
        #expect(throws: Stop.self) { try db.transaction("BEGIN DEFERRED") { throw Stop() } }
        #expect(driver.take() == ["BEGIN DEFERRED", "ROLLBACK"])
    }

    @Test("A refused commit rolls back") func refusedCommit() throws {
        driver.failures["COMMIT"] = SQLError(.full, "no room")
        #expect(throws: SQLError(.full, "no room")) { try db.transaction {} }
        #expect(driver.take() == ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"])
        #expect(throws: SQLError(.aborted, "the transaction has ended")) { try db.requireTransaction() }
    }

    @Test("Reading the first row leaves the others unread, and statements and rows are counted") func firstRow() throws
    {
        driver.rows["SELECT id FROM t"] = [1, 2, 3]
        #expect(try db.first("SELECT id FROM t") { $0.integer(0) } == 1)
        #expect(db.rows == 1)
        #expect(try db.all("SELECT id FROM t") { $0.integer(0) } == [1, 2, 3])
        #expect(try db.exists("SELECT id FROM t") && !db.exists("SELECT id FROM u"))
        #expect(db.rows == 5 && db.statements == 4)
    }

    @Test("An INSERT gives the new id, and without one is an error") func insertion() throws {
        let sql = "INSERT INTO t DEFAULT VALUES RETURNING id"
        #expect(throws: SQLError(.other, "no row was inserted", sql: sql)) { try db.insert(sql) }
        driver.rows[sql] = [9]
        #expect(try db.insert(sql) == 9)
    }

    @Test(
        "A savepoint reaches the database before the first write in it, and not before a read",
        arguments: [true, false])
    func lazySavepoint(writes: Bool) throws {
        db.beginSavepoint("request")
        try db.each("SELECT 1") { _ in true }
        #expect(driver.take() == ["SELECT 1"])
        if writes { try db.run("DELETE FROM t") }
        try db.endSavepoint()
        #expect(driver.take() == (writes ? ["SAVEPOINT request", "DELETE FROM t", "RELEASE request"] : []))
    }

    @Test("Statements that may write begin the savepoint, whatever their first word") func mayWrite() throws {
        db.beginSavepoint("request")
        try db.each("WITH x AS (SELECT 1) DELETE FROM t RETURNING id") { _ in true }
        #expect(driver.take().first == "SAVEPOINT request")
        #expect(db.immediateWrites == 1)
    }

    @Test("A shared snapshot runs a query once, and forgets the row at its end and on a rollback") func snapshot()
        throws
    {
        let query = "SELECT id FROM t WHERE id = ?"
        driver.rows[query] = [4]
        func read() throws -> Int64? { try db.firstInSnapshot(query, .integer(4)) { $0.integer(0) } }
        db.rememberingSnapshot {
            #expect(db.remembersSnapshot)
            #expect((try? read()) == 4 && (try? read()) == 4)
            #expect(driver.take() == [query])
            try? db.rollBack()
            #expect((try? read()) == 4)
            #expect(driver.take() == [query])
        }
        #expect(!db.remembersSnapshot)
        #expect(try read() == 4 && read() == 4)
        #expect(driver.take() == [query, query])
    }

    @Test("Rows that stay until the database changes are made anew after a change, and unknown during a write")
    func stableRows() throws {
        final class Rows {}
        try db.beginStable()
        let first = try #require(db.stable(Rows.init))
        #expect(db.stable(Rows.init) === first)
        try db.run("COMMIT")
        #expect(db.stable(Rows.init) == nil)
        try db.beginStable()
        #expect(db.stable(Rows.init) === first)
        try db.run("COMMIT")
        driver.version = 2
        try db.beginStable()
        let second = try #require(db.stable(Rows.init))
        #expect(second !== first)
    }

    @Test("An engine without a version of its data has no stable rows") func noVersion() throws {
        final class Rows {}
        driver.version = nil
        try db.beginStable()
        #expect(db.stable(Rows.init) == nil)
    }
}
