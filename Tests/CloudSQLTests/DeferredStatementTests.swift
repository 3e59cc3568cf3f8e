import CloudEngine
import CloudSQL
import CloudSQLite
import Foundation
import Synchronization
import Testing

/// Statements that wait on a connection, and savepoints that are begun only once something is written in them.
struct DeferredStatementTests {
    private static let parent = DeferredStatement(insert: "INSERT INTO parents (id, name)", columns: 2, rank: 0)
    private static let child = DeferredStatement(insert: "INSERT INTO children (id, parent)", columns: 2, rank: 1)
    private static let renaming = DeferredStatement("UPDATE parents SET name = ? WHERE id = ?", rank: 0)

    private final class Trace: Sendable {
        let statements = Mutex<[String]>([])

        /// The first words of the statements since the last call.
        func take() -> [String] {
            statements.withLock { statements in
                defer { statements.removeAll() }
                return statements.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
            }
        }
    }

    /// Runs `body` in a transaction that is not ended.
    private func run(_ body: (SQLConnection, Trace) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "deferred-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let trace = Trace()
        let engine = SQLiteEngine(onStatement: { sql in trace.statements.withLock { $0.append(sql) } })
        let connection = try engine.opener.openForWriting(folder + "/db")
        try connection.use { db in
            try db.script(
                """
                CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
                CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id));
                """)
            try db.run("BEGIN")
            _ = trace.take()
            try body(db, trace)
            try db.rollBack()
        }
        try connection.close()
    }

    private func add(_ id: Int64, _ name: String, _ db: SQLConnection) throws {
        try db.later(Self.parent, [.integer(id), .text(name)], key: DeferredKey(0, name))
    }

    private func names(_ db: SQLConnection) throws -> [String] {
        try db.all("SELECT name FROM parents ORDER BY id") { $0.text(0) }
    }

    @Test("A read first runs the deferred statements that concern it, and leaves others waiting")
    func deferredReads() throws {
        try run { db, trace in
            for id in 1...3 { try add(Int64(id), "p\(id)", db) }
            #expect(trace.take().isEmpty)
            #expect(db.isDeferred(DeferredKey(0, "p2")) && !db.isDeferred(DeferredKey(1, "p2")))
            try db.eachBesideDeferred("SELECT count(*) FROM parents", []) { row in
                #expect(row.integer(0) == 0)
                return true
            }
            let other = try db.first(about: DeferredKey(0, "p9"), "SELECT count(*) FROM parents") { $0.integer(0) }
            #expect(other == 0)
            let own = try db.first(about: DeferredKey(0, "p2"), "SELECT count(*) FROM parents") { $0.integer(0) }
            #expect(own == 3)
            #expect(!db.isDeferred(DeferredKey(0, "p2")))
            #expect(try names(db) == ["p1", "p2", "p3"])
        }
    }

    @Test("Deferred keys are compared by their bytes")
    func keysAreBytes() {
        #expect(DeferredKey(0, "e\u{301}") != DeferredKey(0, "\u{e9}"))
        #expect(DeferredKey(0, "e\u{301}") == DeferredKey(0, "e\u{301}"))
        #expect(DeferredKey(1, "a") != DeferredKey(2, "a"))
    }

    @Test("Referenced rows are written first, whatever the order of the calls")
    func ranksAreKept() throws {
        try run { db, _ in
            try db.later(Self.child, [.integer(1), .integer(7)])
            try add(7, "p", db)
            try db.later(Self.child, [.integer(2), .integer(7)])
            try db.later(Self.renaming, [.text("q"), .integer(7)])
            #expect(try db.first("SELECT count(*) FROM children") { $0.integer(0) } == 2)
            #expect(try names(db) == ["q"])
        }
    }

    @Test("Many deferred rows are written by few statements", arguments: [(1, 1), (4, 1), (5, 2), (200, 5), (83, 5)])
    func manyRows(count: Int, statements: Int) throws {
        try run { db, trace in
            for id in 1...count { try add(Int64(id), "p\(id)", db) }
            try db.writeDeferred()
            #expect(trace.take().count == statements)
            #expect(try names(db) == (1...count).map { "p\($0)" })
        }
    }

    @Test("Deferred statements are bounded by count and by bytes")
    func bounded() throws {
        try run { db, trace in
            for id in 1..<2_000 { try add(Int64(id), "p\(id)", db) }
            #expect(trace.take().isEmpty)
            try add(2_000, "p2000", db)
            #expect(!trace.take().isEmpty)
            try add(2_001, String(repeating: "x", count: 4 << 20), db)
            #expect(!trace.take().isEmpty)
        }
    }

    // MARK: Savepoints

    @Test("Undoing an unwritten savepoint costs no statement, and discards only its own statements")
    func undoneInMemory() throws {
        try run { db, trace in
            try add(1, "kept", db)
            db.beginSavepoint("one")
            try add(2, "undone", db)
            try db.undoSavepoint()
            try add(3, "again", db)
            try db.endSavepoint()
            #expect(trace.take().isEmpty)
            #expect(!db.isDeferred(DeferredKey(0, "undone")) && db.isDeferred(DeferredKey(0, "kept")))
            #expect(try names(db) == ["kept", "again"])
        }
    }

    @Test("A savepoint begins at its first write, not at a read")
    func begunWhenNeeded() throws {
        try run { db, trace in
            try add(1, "before", db)
            db.beginSavepoint("one")
            _ = try names(db)
            #expect(trace.take() == ["INSERT INTO", "SELECT name"])
            try add(2, "in", db)
            try db.run("DELETE FROM parents WHERE id = 1")
            #expect(trace.take() == ["SAVEPOINT one", "INSERT INTO", "DELETE FROM"])
            try add(3, "waiting", db)
            try db.undoSavepoint()
            try db.endSavepoint()
            #expect(trace.take() == ["ROLLBACK TO", "RELEASE one"])
            #expect(try names(db) == ["before"])
        }
    }

    @Test("An inner savepoint is undone alone, however much of it was written", arguments: [false, true])
    func nested(writesBetween: Bool) throws {
        try run { db, _ in
            try add(1, "outside", db)
            db.beginSavepoint("one")
            try add(2, "one", db)
            if writesBetween { try db.run("UPDATE parents SET name = name WHERE id = 2") }
            db.beginSavepoint("two")
            try add(3, "two", db)
            if writesBetween { try db.run("DELETE FROM parents WHERE id < 3") }
            try db.undoSavepoint()
            try db.endSavepoint()
            #expect(try names(db) == ["outside", "one"])
            try db.undoSavepoint()
            try db.endSavepoint()
            #expect(try names(db) == ["outside"])
        }
    }

    // MARK: What the database is against

    private func expectConstraint(_ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch {
            #expect((error as? SQLError)?.kind == .constraint)
        }
    }

    @Test("A constraint error surfaces at the next statement, and undoing its savepoint keeps the rest")
    func ownFault() throws {
        try run { db, _ in
            try add(1, "kept", db)
            db.beginSavepoint("one")
            try add(2, "kept", db)
            expectConstraint { _ = try names(db) }
            // Nothing goes on as if it had been written.
            expectConstraint { _ = try names(db) }
            expectConstraint { try db.run("DELETE FROM parents") }
            #expect(db.isInsideTransaction)
            try db.undoSavepoint()
            try db.endSavepoint()
            #expect(try names(db) == ["kept"])
        }
    }

    @Test("A savepoint with an ignored error cannot be released")
    func faultPassedOver() throws {
        try run { db, _ in
            try add(1, "same", db)
            db.beginSavepoint("one")
            try add(2, "same", db)
            _ = try? names(db)
            expectConstraint { try db.endSavepoint() }
        }
    }

    @Test("An error in statements deferred before the savepoint ends the transaction")
    func keptFault() throws {
        try run { db, _ in
            try db.run("INSERT INTO parents (id, name) VALUES (1, 'same')")
            try add(2, "same", db)
            db.beginSavepoint("one")
            expectConstraint { _ = try names(db) }
            expectConstraint { try db.undoSavepoint() }
            #expect(!db.isInsideTransaction)
            expectConstraint { try db.requireTransaction() }
            expectConstraint { try db.run("COMMIT") }
            try db.rollBack()
            try db.run("BEGIN")
            try add(3, "new", db)
            #expect(try names(db) == ["new"])
        }
    }

    @Test("Rolling back discards deferred statements")
    func rolledBack() throws {
        try run { db, _ in
            try add(1, "gone", db)
            try db.rollBack()
            try db.run("BEGIN")
            #expect(!db.isDeferred(DeferredKey(0, "gone")))
            #expect(try names(db).isEmpty)
        }
    }
}
