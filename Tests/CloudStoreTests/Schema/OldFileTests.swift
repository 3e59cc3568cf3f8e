import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// A file of the version before the schema could change, brought up to date with what it holds.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct OldFileTests {
    private static let records = 5
    private static let byA = #"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#

    @Test("A file of the first layout is read, written and changed") func firstLayout() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary.path + suffix) }
        try make(temporary.path)
        let store = try temporary.open()
        #expect(store.records.catalog.types["Note"]?.generation ?? -1 >= 0)
        #expect(try await store.query(Self.byA).names.count == Self.records)
        #expect(try await store.modify([operation(.create, "new", fields: #"{"a":{"value":"x"}}"#)]).error() == nil)
        #expect(try await store.query(Self.byA).names.count == Self.records + 1)
        try await store.schema.apply("CREATE ROLE R; RECORD TYPE Note (b STRING);")
        #expect(try await store.record("r1")["fields"]?.object?.members.isEmpty == true)
        try await store.close()
    }

    /// Writes a file as the server of that version did.
    private func make(_ path: String) throws {
        let connection = try SQLiteEngine().opener.openForWriting(path)
        try connection.migrate(Migrations.through("6 key-value"))
        try connection.write { db in
            try db.script(
                """
                INSERT INTO zones (id, owner, name, position) VALUES (1, '_alice', 'Notes', 9);
                INSERT INTO record_types (id, name, grants) VALUES (1, 'Note', '_world=READ');
                INSERT INTO fields (id, record_type, name, kind, is_list, is_encrypted, indexes)
                VALUES (1, 1, 'a', 'STRING', 0, 0, 'QUERYABLE SEARCHABLE SORTABLE');
                CREATE TABLE values_1 (
                    zone INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
                    created_by TEXT NOT NULL, modified INTEGER NOT NULL, modified_by TEXT NOT NULL, parent TEXT,
                    share TEXT, f1, PRIMARY KEY (zone, id)
                ) WITHOUT ROWID;
                CREATE INDEX values_1_f1 ON values_1 (zone, f1, id);
                UPDATE store SET position = 9, catalog_version = 2;
                """)
            for number in 1...Self.records { try insert(number, db) }
        }
        try connection.close()
    }

    private func insert(_ number: Int, _ db: SQLConnection) throws {
        let stamp = RecordBody.Stamp(timestamp: Timestamp(milliseconds: 1), userRecordName: "_alice")
        let header = RecordBody.Header(
            recordName: "r\(number)", recordType: "Note", changeTag: ChangeTag.text(Int64(number), part: nil),
            created: stamp,
            modified: stamp)
        let body = RecordBody(
            header, fields: Array(#"{"a":{"value":"x","type":"STRING"}}"#.utf8), zone: .notes)
        try db.run(
            """
            INSERT INTO records (id, zone, name, record_type, tag, feed, creator, body)
            VALUES (?1, 1, ?2, 1, ?1, ?1, '_alice', ?3)
            """, .integer(Int64(number)), .text("r\(number)"), .blob(body.bytes))
        try db.run(
            "INSERT INTO values_1 VALUES (1, ?, ?, 1, '_alice', 1, '_alice', NULL, NULL, 'x')",
            .integer(Int64(number)), .text("r\(number)"))
    }
}

extension Migrations {
    /// Those that an older version had, of which this was the last.
    static func through(_ last: String) throws -> [Migration] {
        Array(all[...(try #require(all.firstIndex { $0.name == last }))])
    }
}
