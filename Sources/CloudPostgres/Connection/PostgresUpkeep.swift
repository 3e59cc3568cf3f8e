import CloudEngine
import CloudSQL

/// Questions about PostgreSQL's own tables.
struct PostgresUpkeep: SQLUpkeep {
    func hasTable(_ name: String, _ db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 WHERE to_regclass(?) IS NOT NULL", .text(name.lowercased()))
    }

    func lastID(of table: String, _ db: SQLConnection) throws -> Int64 {
        try db.first(
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(?, 'id')::regclass), 0)", .text(table)
        ) { $0.integer(0) } ?? 0
    }

    func setLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws {
        // A sequence's lowest value is 1; the flag false marks 1 as unused.
        _ = try db.first(
            "SELECT setval(pg_get_serial_sequence(?, 'id')::regclass, greatest(CAST(?2 AS BIGINT), 1), ?2 > 0)",
            .text(table), .integer(id)
        ) { $0.integer(0) }
    }

    func noteLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws {
        try db.later(Self.lastID, [.text(table), .integer(id)])
    }

    private static let lastID = DeferredStatement(
        "SELECT setval(pg_get_serial_sequence(?, 'id')::regclass, CAST(? AS BIGINT))", rank: WriteRank.group)

    /// True: PostgreSQL deletes the table's files.
    var dropsAtOnce: Bool { true }

    func indexes(of table: String, _ db: SQLConnection) throws -> [String] {
        try db.all(
            """
            SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = to_regclass(?) AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)
            ORDER BY c.relname
            """, .text(table)
        ) { $0.text(0) }
    }

    /// Reads check rows, and page checksums where the cluster has them; so only invalid indexes are reported.
    func damage(most: Int, _ db: SQLConnection) throws -> [String] {
        try db.all(
            """
            SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE c.relnamespace = to_regnamespace(current_schema()) AND i.indisvalid = false ORDER BY c.relname LIMIT ?
            """, .integer(Int64(most))
        ) { "the index \($0.text(0)) is not valid" }
    }
}
