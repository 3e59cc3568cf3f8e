import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// The field `roles` in a file from before there were roles, when every user wrote their own.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct OldRolesTests {
    @Test("The migration drops roles that users had written themselves") func migration() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: temporary.path + suffix) }
        try make(temporary.path)
        let store = try temporary.open()
        try await store.schema.apply(#"CREATE ROLE editor; RECORD TYPE Note (GRANT READ TO editor);"#)
        #expect(try await store.roles.members(after: "", limit: 10) == [])
        let record = try await store.record("_bob", zone: .world, caller: .bob)
        #expect(record.field("roles") == nil)
        #expect(record.field("nickname")?.string == "B")
        #expect(record["recordChangeTag"]?.string == "5")
        let claim = #"{"recordType":"Users","filterBy":[\#(filter("roles", "1", "LIST_CONTAINS"))]}"#
        #expect(try await store.query(claim, zone: .world).names == [])
        let byName = #"{"recordType":"Users","filterBy":[\#(filter("nickname", "\"B\""))]}"#
        #expect(try await store.query(byName, zone: .world).names == ["_bob"])
        let usage = try await store.users.usage(owner: ZoneID.publicOwner)
        let size = try Self.size(temporary)
        #expect(usage.bytes == size)

        // What an operator gives is kept from then on.
        _ = try await store.roles.set("editor", of: "_bob", to: true, limits: Limits())
        try await store.close()
        let again = try temporary.open()
        #expect(try await again.roles.members(after: "", limit: 10).map(\.roles) == [["editor"]])
        try await again.close()
    }

    private static func size(_ temporary: TemporaryStore) throws -> Int64? {
        try temporary.read { db in
            try db.first("SELECT sum(length(body)) FROM records WHERE record_type IS NOT NULL") { $0.integer(0) }
        }
    }

    /// Writes a file as the server of that version did.
    private func make(_ path: String) throws {
        let stamp = RecordBody.Stamp(timestamp: Timestamp(milliseconds: 1), userRecordName: "_bob")
        let header = RecordBody.Header(
            recordName: "_bob", recordType: "Users", changeTag: "5", created: stamp, modified: stamp)
        let fields = #"{"roles":{"value":[1,2],"type":"INT64_LIST"},"nickname":{"value":"B","type":"STRING"}}"#
        let body = RecordBody(header, fields: Array(fields.utf8), zone: nil)
        let connection = try SQLiteEngine().opener.openForWriting(path)
        try connection.migrate(Migrations.through("6 key-value"))
        try connection.write { db in
            try db.script(
                """
                INSERT INTO zones (id, owner, name, position) VALUES (1, '\(ZoneID.publicOwner)', '_defaultZone', 9);
                INSERT INTO record_types (id, name, grants) VALUES (1, 'Users', '_creator=WRITE;_world=READ');
                INSERT INTO fields (id, record_type, name, kind, is_list, is_encrypted, indexes)
                VALUES (1, 1, 'roles', 'INT64', 1, 0, 'QUERYABLE'),
                    (2, 1, 'nickname', 'STRING', 0, 0, 'QUERYABLE');
                CREATE TABLE values_1 (
                    zone INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
                    created_by TEXT NOT NULL, modified INTEGER NOT NULL, modified_by TEXT NOT NULL, parent TEXT,
                    share TEXT, f1, f2, PRIMARY KEY (zone, id)
                ) WITHOUT ROWID;
                CREATE INDEX values_1_f2 ON values_1 (zone, f2, id);
                INSERT INTO values_1 VALUES (1, 1, '_bob', 1, '_bob', 1, '_bob', NULL, NULL, 2, 'B');
                UPDATE store SET position = 9, catalog_version = 2;
                """)
            try db.run(
                """
                INSERT INTO records (id, zone, name, record_type, tag, creator, links, body)
                VALUES (1, 1, '_bob', 1, 5, '_bob', 1, ?)
                """, .blob(body.bytes))
            try db.script("INSERT INTO elements (field, zone, value, record) VALUES (1, 1, 1, 1), (1, 1, 2, 1)")
            try UsageTable.add(Usage(bytes: Int64(body.size), records: 1), owner: ZoneID.publicOwner, db)
        }
        try connection.close()
    }
}
