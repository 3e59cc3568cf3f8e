import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// What a connection knows of zones and the schema's version, for as long as nobody changes the database.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"), .timeLimit(.minutes(5)))
struct StableRowsTests {
    /// A connection that is told each statement of its reads.
    private final class Reader {
        private final class Texts: Sendable {
            let all = Mutex<[String]>([])
        }

        private let texts = Texts()
        private let connection: any EngineConnection
        let published: PublishedCatalog

        init(_ temporary: TemporaryStore) throws {
            let engine = SQLiteEngine(onStatement: { [texts] sql in texts.all.withLock { $0.append(sql) } })
            connection = try engine.opener.openForWriting(temporary.path)
            published = PublishedCatalog()
            published.set(temporary.store.records.catalog)
        }

        func statements(_ body: (SQLConnection) throws -> Void) throws -> [String] {
            texts.all.withLock { $0.removeAll() }
            try connection.use { db in
                try db.run("BEGIN DEFERRED")
                do {
                    try body(db)
                    try db.run("COMMIT")
                } catch {
                    try db.rollBack()
                    throw error
                }
            }
            return texts.all.withLock { $0 }
        }

        struct Look: Equatable {
            var found = false
            var statements = 0
        }

        func lookup(_ name: String) throws -> Look {
            var found = false
            let statements = try statements { db in
                let request = LookupRequest(zone: .notes, names: [name], caller: .alice)
                let results = try request.run(db, catalog: published.current(db), roles: RoleMemory().reader())
                found = (try? results[0].get()) != nil
            }
            return Look(found: found, statements: statements.count)
        }

        func close() throws { try connection.close() }
    }

    @Test("Zone and schema are read once until the next write")
    func lookups() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "a")])
        let reader = try Reader(temporary)
        // Beginning and end, whether it is as it was, the schema's version, the zone and the record.
        #expect(try reader.lookup("a") == Reader.Look(found: true, statements: 6))
        for name in ["a", "b"] { #expect(try reader.lookup(name) == Reader.Look(found: name == "a", statements: 4)) }
        _ = try await temporary.store.modify([operation(.create, "b")])
        #expect(try reader.lookup("b") == Reader.Look(found: true, statements: 6))
        #expect(try reader.lookup("b") == Reader.Look(found: true, statements: 4))
        try reader.close()
        try await temporary.store.close()
    }

    @Test("A zone deleted and created again is a new zone to earlier readers")
    func zones() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "a")])
        let reader = try Reader(temporary)
        for _ in 0..<2 { #expect(try reader.lookup("a").found) }
        let requester = Requester(user: "_alice")
        _ = try await temporary.store.zones.modify([.delete(.notes)], by: requester, limits: Limits())
        #expect(throws: ServerError.self) { try reader.lookup("a") }
        try await temporary.store.makeZone()
        #expect(try !reader.lookup("a").found)
        try reader.close()
        try await temporary.store.close()
    }

    @Test("Cached rows are valid only within the snapshot that read them")
    func snapshots() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let reader = try Reader(temporary)
        for _ in 0..<2 { _ = try reader.lookup("a") }
        let statements = try reader.statements { db in
            #expect(db.stable(StableRows.init) == nil)
            _ = try ZoneTable.find(.notes, db)
        }
        #expect(statements.count == 3)
        try reader.close()
        try await temporary.store.close()
    }
}
