import CloudEngine
import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Databases in each state that a version of the program has left, with what it wrote there, opened by this version.
@Suite(.timeLimit(.minutes(10)))
struct LayoutFixtureTests {
    private static let names = (1...5).map { "r\($0)" }
    /// The states before each migration but the first.
    private static let states = Migrations.all.dropLast().map(\.name)

    /// Whether a state has had the migration that begins with a number.
    private static func has(_ number: Int, _ state: String) -> Bool {
        (Int(state.prefix { $0.isNumber }) ?? 0) >= number
    }

    @Test("Every layout version opens with correct data, and can be written to", arguments: states)
    func opens(state: String) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.close()
        try temporary.engine.locations.remove(temporary.path)
        try make(temporary.path, state)
        let store = try temporary.open()
        try await checkRecords(store)
        try await checkBeside(store, temporary, state)
        #expect(try await store.modify([operation(.create, "new", fields: #"{"a":{"value":"x"}}"#)]).error() == nil)
        #expect(try await store.query(Self.byA).names.count == Self.names.count + 1)
        #expect(try await store.modify([operation(.forceDelete, "new")]).error() == nil)
        try await store.close()
        let connection = try temporary.engine.opener.openForReading(temporary.path)
        #expect(try connection.migrationNames().isSuperset(of: Migrations.all.map(\.name)))
        #expect(try connection.read { try $0.problems() } == [])
        try connection.close()
    }

    private static let byA = #"{"recordType":"Note","filterBy":[\#(filter("a", #""x""#))]}"#
    private static let byTag = """
        {"recordType":"Note","filterBy":[{"fieldName":"tags","comparator":"LIST_CONTAINS","fieldValue":{"value":"t2"}}]}
        """

    private func checkRecords(_ store: EnvironmentStore) async throws {
        #expect(try await store.query(Self.byA).names == Self.names)
        #expect(try await store.query(Self.byTag).names == ["r2"])
        #expect(try await store.changes().names == Self.names)
        for name in Self.names {
            let record = try await store.record(name)
            #expect(record.field("a") == .string("x"), "\(name)")
            #expect(record["created"]?.object?["userRecordName"] == .string("_alice"))
        }
        #expect(try await store.record("r2")["parent"]?.object?["recordName"] == .string("r1"))
        let usage = try await store.users.usage(owner: "_alice")
        #expect(usage.records == Int64(Self.names.count))
        #expect(usage.bytes == Self.names.map { Int64(Self.body($0).size) }.reduce(0, +))
    }

    private func checkBeside(
        _ store: EnvironmentStore, _ temporary: TemporaryStore, _ state: String
    ) async throws {
        if Self.has(2, state) {
            #expect(try await store.users.usage(owner: "_alice").assets == 7)
            #expect(try await temporary.count("record_assets JOIN assets ON assets.id = asset WHERE key = 'AKEY'") == 1)
        }
        if Self.has(4, state) {
            let settings = try await store.pageSettings.find("page", owner: "_alice")
            #expect(settings?.items == ["r1"] && settings?.isTakenDown == true && settings?.downloads == .originals)
        }
        if Self.has(5, state) {
            let found = try await store.browsing.subscriptions(after: 0, limit: 10)
            #expect(found.map(\.userRecordName) == ["_alice"] && found.map(\.body) == [Array(Self.subscription.utf8)])
            #expect(try await temporary.count("notifications JOIN devices ON devices.id = device WHERE token = 7") == 1)
        }
        if Self.has(6, state) {
            let values = try await store.keyValues.all(user: "_alice").values
            #expect(values.map(\.key) == ["k"] && values.map(\.json) == [Array(#"{"value":1}"#.utf8)])
        }
        if Self.has(7, state) { #expect(store.records.catalog.roles[1] == "Editor") }
    }

    // MARK: As a version wrote it

    private static let subscription = #"{"subscriptionID":"s","subscriptionType":"zone"}"#

    private static func body(_ name: String) -> RecordBody {
        let stamp = RecordBody.Stamp(timestamp: Timestamp(milliseconds: 1), userRecordName: "_alice")
        let number = Int64(name.dropFirst()) ?? 0
        let header = RecordBody.Header(
            recordName: name, recordType: "Note", changeTag: ChangeTag.text(number, part: nil), created: stamp,
            modified: stamp, parent: name == "r2" ? "r1" : nil)
        let fields = #"{"a":{"value":"x","type":"STRING"},"tags":{"value":["t\#(number)"],"type":"STRING_LIST"}}"#
        return RecordBody(header, fields: Array(fields.utf8), zone: .notes)
    }

    private func make(_ path: String, _ state: String) throws {
        let connection = try TestEngine(copiesRecords: false).opener.openForWriting(path)
        try connection.migrate(Migrations.through(state))
        try connection.write { db in
            try makeSchema(state, db)
            for name in Self.names { try insert(name, state, db) }
            for (number, sql) in Self.beside where Self.has(number, state) { try db.script(Self.named(sql, state)) }
        }
        try connection.close()
    }

    private func makeSchema(_ state: String, _ db: SQLConnection) throws {
        try db.script(
            """
            INSERT INTO zones (owner, name, position) VALUES ('_alice', 'Notes', 9);
            INSERT INTO record_types (name, grants) VALUES ('Note', '_world=READ');
            INSERT INTO fields (record_type, name, kind, is_list, is_encrypted, indexes) VALUES
                (1, 'a', 'STRING', 0, 0, 'QUERYABLE SORTABLE'), (1, 'tags', 'STRING', 1, 0, 'QUERYABLE');
            CREATE TABLE values_1 (
                zone BIGINT NOT NULL, id BIGINT NOT NULL, name TEXT NOT NULL, created BIGINT NOT NULL,
                created_by TEXT NOT NULL, modified BIGINT NOT NULL, modified_by TEXT NOT NULL, parent TEXT,
                share TEXT, f1\(db.dialect.spelling.type(of: .text)), f2\(db.dialect.spelling.type(of: .integer)),
                PRIMARY KEY (zone, id)
            ) /*!WITHOUT ROWID*/;
            CREATE INDEX values_1_f1 ON values_1 (zone, f1, id);
            UPDATE store SET position = 9, catalog_version = 2;
            """)
        if Self.has(14, state) { try StoredIndexes.add(.values(column: "f1"), type: 1, generation: 0, db) }
    }

    private func insert(_ name: String, _ state: String, _ db: SQLConnection) throws {
        let (number, body) = (Int64(name.dropFirst()) ?? 0, Self.body(name))
        // Rows beside the record: references, parents and elements are kind 1.
        try db.run(
            Self.named(
                """
                INSERT INTO records (id, zone, name, record_type, tag, feed, creator, links, body)
                VALUES (?1, 1, ?2, 1, ?1, ?1, '_alice', 1, ?3)
                """, state), .integer(number), .text(name), .blob(body.bytes))
        try db.run(
            "INSERT INTO values_1 VALUES (1, ?, ?, 1, '_alice', 1, '_alice', ?, NULL, ?, 1)", .integer(number),
            .text(name), name == "r2" ? .text("r1") : .null, .text("x"))
        try db.run("INSERT INTO elements VALUES (2, 1, ?, ?)", .text("t\(number)"), .integer(number))
        if name == "r2" {
            try db.script(Self.named("INSERT INTO record_links VALUES (1, 'r1', 3, 2)", state))
        }
        try db.run(
            """
            INSERT INTO usage (owner, bytes, records) VALUES ('_alice', ?1, 1)
            ON CONFLICT (owner) DO UPDATE SET bytes = usage.bytes + ?1, records = usage.records + 1
            """, .integer(Int64(body.size)))
    }

    /// Rows of the tables that later migrations brought, by the number of each.
    private static let beside: [(Int, String)] = [
        (
            2,
            """
            INSERT INTO assets (key, size, crc32, content_type, file) VALUES ('AKEY', 7, 1, 'text/plain', 'f');
            INSERT INTO record_assets VALUES (1, 1);
            """
        ),
        (
            4,
            """
            INSERT INTO links (id, owner, delete_after_expiry, taken_down) VALUES ('page', '_alice', 0, 1);
            INSERT INTO link_items VALUES ('page', '_alice', 'r1');
            """
        ),
        (
            5,
            """
            INSERT INTO subscriptions
                ("user", scope, name, kind, zone, record_type, fires_on, fires_once, bucket_field, body)
            VALUES ('_alice', 1, 's', 2, 1, 0, 7, 0, 0, \(ChosenEngine.bytes(subscription)));
            INSERT INTO devices (token, "user", queued, expires) VALUES (7, '_alice', 1, 9223372036854775807);
            INSERT INTO notifications (device, created, body) VALUES (1, 1, \(ChosenEngine.bytes(#"{}"#)));
            """
        ),
        (
            6,
            """
            INSERT INTO key_value_stores VALUES (1, '_alice', 9, 0, 12, 1, 0);
            INSERT INTO key_values (store, key, position, bytes, body)
            VALUES (1, 'k', 9, 12, \(ChosenEngine.bytes(#"{"value":1}"#)));
            """
        ),
        (7, "INSERT INTO roles (name) VALUES ('Editor')"),
    ]

    /// The statement with the names that tables and columns had in a state.
    private static func named(_ sql: String, _ state: String) -> String {
        guard has(17, state) else { return sql }
        return [
            ("link_items", "page_items"), ("record_links", "record_references"), ("INTO links", "INTO page_settings"),
            ("creator, links,", "creator, beside,"),
        ].reduce(sql) { $0.replacing($1.0, with: $1.1) }
    }
}
