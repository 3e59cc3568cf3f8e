import CloudEngine
import CloudSQL
import Foundation
import TestPostgres
import Testing

@testable import CloudPostgres
@testable import CloudStore

/// A copied schema is the original by another name.
@Suite(.timeLimit(.minutes(5)))
struct SchemaCopyTests {
    private let engine: PostgresEngine
    private let original = "/copy/\(UUID().uuidString).sqlite"
    private let copy = "/copy/\(UUID().uuidString).sqlite"

    init() throws {
        engine = PostgresEngine(url: try TestCluster.shared.get().url, root: "")
        let connection = try engine.opener.openForWriting(original)
        try Migrations.run(on: connection, name: original)
        try connection.write { db in
            try db.script("CREATE TABLE values_7 (zone BIGINT, id BIGINT, f1 BYTEA, PRIMARY KEY (zone, id))")
            try db.script(db.dialect.spelling.index("values_7_f1", on: "values_7", column: "f1", .text, isSparse: true))
            try db.run("INSERT INTO zones (owner, name, position) VALUES ('_a', 'one', 1), ('_a', 'two', 2)")
            try db.run("DELETE FROM zones WHERE name = 'two'")
        }
        try connection.close()
        try engine.copier.duplicate(original, to: copy)
    }

    @Test("A schema copy has the original's columns, keys, indexes, triggers and functions")
    func layout() throws {
        let made = try Self.layout(of: engine.opener.openForReading(original))
        let copied = try Self.layout(of: engine.opener.openForReading(copy))
        #expect(made == copied)
        for part in ["INDEX values_7_f1", "TRIGGER asset_held", "FOREIGN KEY (device)", "FUNCTION distance"] {
            #expect(made.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test("A schema copy has the original's rows, and reuses none of its ids")
    func rows() throws {
        let connection = try engine.opener.openForWriting(copy)
        try connection.write { db in
            #expect(try db.all("SELECT name FROM zones") { $0.text(0) } == ["one"])
            try db.run("INSERT INTO zones (owner, name, position) VALUES ('_a', 'three', 3)")
            #expect(try db.first("SELECT id FROM zones WHERE name = 'three'") { $0.integer(0) } == 3)
        }
        try connection.close()
    }

    /// Sorted, without the name of the schema.
    private static func layout(of connection: any EngineConnection) throws -> [String] {
        let parts = [
            """
            SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
                pg_get_expr(adbin, adrelid)) FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace
                AND relkind = 'r') AND attnum > 0
            """,
            """
            SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid, true)) FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace
            """,
            """
            SELECT pg_get_indexdef(oid, 0, true) FROM pg_class WHERE relnamespace = current_schema()::regnamespace
                AND relkind = 'i'
            """,
            """
            SELECT pg_get_triggerdef(t.oid, true) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
            WHERE relnamespace = current_schema()::regnamespace AND tgisinternal = false
            """,
            """
            SELECT replace(pg_get_functiondef(oid), current_schema() || '.', '') FROM pg_proc
            WHERE pronamespace = current_schema()::regnamespace
            """,
        ]
        return try connection.read { db in try parts.flatMap { try db.all($0) { $0.text(0) } }.sorted() }
    }
}
