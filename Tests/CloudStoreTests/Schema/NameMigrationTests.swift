import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Databases from before tables and columns got the names that they have now.
struct NameMigrationTests {
    @Test("Page settings, references and locations survive the renaming of their tables")
    func rowsStay() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let root = #"{"at":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}"#
        let child = """
            {"root":{"value":{"recordName":"root","action":"DELETE_SELF"},"type":"REFERENCE"}}
            """
        let saved = try await store.modify([
            operation(.create, "root", fields: root), operation(.create, "child", fields: child),
        ])
        #expect(saved.error() == nil)
        var settings = PageSettings(id: "page", owner: "_alice")
        settings.items = ["root", "child"]
        settings.isTakenDown = true
        try await store.pageSettings.save(settings)
        try await store.close()
        try temporary.takeBackNames()

        let opened = try temporary.open()
        let found = try await opened.pageSettings.find("page", owner: "_alice")
        #expect(found?.items == ["child", "root"])
        #expect(found?.isTakenDown == true)
        let near = #"""
            {"recordType":"Note","filterBy":[{"fieldName":"at","comparator":"NEAR","distance":10,
            "fieldValue":{"value":{"latitude":1,"longitude":2},"type":"LOCATION"}}]}
            """#
        #expect(try await opened.query(near).names == ["root"])
        #expect(try await opened.modify([operation(.forceDelete, "root")]).error() == nil)
        #expect(try await temporary.count("records WHERE record_type IS NOT NULL AND name IN ('root', 'child')") == 0)
        for table in ["locations", "record_references"] { #expect(try await temporary.count(table) == 0) }
        try await opened.close()
    }

    @Test("Renaming a large table changes few pages", .enabled(if: !ChosenEngine.isPostgres, "about SQLite's log"))
    func largeTables() async throws {
        let temporary = try TemporaryStore(engine: SQLiteEngine())
        try await temporary.store.close()
        try temporary.write { db in
            try db.script(
                """
                INSERT INTO zones (id, owner, name, position) VALUES (99, '_alice', 'Large', 1);
                WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO records (id, zone, name, tag, beside, body)
                SELECT 1000 + i, 99, 'r' || i, i, 5, zeroblob(100) FROM n;
                INSERT INTO record_references (zone, target, kind, source) SELECT 99, 'r1', 3, id FROM records;
                INSERT INTO locations (record, field, zone, latitude, longitude) SELECT id, 1, 99, 0, 0 FROM records;
                INSERT INTO locations_tree SELECT id, 0, 1, 0, 1, 0, 1 FROM locations;
                """)
        }
        try temporary.takeBackNames()
        let connection = try SQLiteEngine().opener.openForWriting(temporary.path)
        try Migrations.run(on: connection, name: temporary.path)
        let log = try #require(FileManager.default.attributesOfItem(atPath: temporary.path + "-wal")[.size] as? Int)
        #expect(log < 100 * 4096, "\(log) bytes")
        #expect(log > 0)
        try connection.close()
    }
}
