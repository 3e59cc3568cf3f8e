import CloudSQL
import CloudStore

/// The SQL dialect of PostgreSQL.
struct PostgresDialect: SQLDialect {
    var words: any WordIndex { TokenWords() }
    var locations: any LocationIndex { LocationPoints() }
    var hasOneWriter: Bool { false }
    var mostValues: Int { PostgresStatements.mostParameters }

    func type(of kind: SQLColumnKind) -> String {
        switch kind {
        case .integer: " INTEGER"
        case .real: " REAL"
        case .name: " TEXT"
        // PostgreSQL text allows no zero character; bytes sort equally. Numbers are stored as NumberKey bytes.
        case .text, .number: " BLOB"
        }
    }

    func untyped(_ column: String) -> String { "untyped(\(column))" }

    func isUnfit(_ column: String, for kind: SQLColumnKind) -> String {
        switch kind {
        case .integer: "NOT is_whole(\(column))"
        case .real: "is_rounded(\(column))"
        case .number, .name, .text: "1 = 0"
        }
    }

    func digits(_ column: Int, of row: SQLRow) -> String { NumberKey(bytes: row.blob(column))?.digits ?? "" }

    func index(_ name: String, on table: String, column: String, _ kind: SQLColumnKind, isSparse: Bool) -> String {
        let key = kind == .text ? Self.prefix.of(column) : column
        return "CREATE INDEX \(name) ON \(table) (zone, \(key) NULLS FIRST, id)"
            + (isSparse ? " WHERE \(column) IS NOT NULL" : "")
    }

    var joinsAnyhow: Bool { true }
    var indexPrefix: IndexPrefix? { Self.prefix }

    /// An index entry has room for 2,704 bytes; longer values rarely share this prefix.
    private static let prefix = IndexPrefix(bytes: 1024)

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

/// Words as one array per record, with a GIN index.
private struct TokenWords: WordIndex {
    var table: String { "words" }
    var record: String { "record" }

    var layout: String {
        """
        CREATE TABLE words (record INTEGER PRIMARY KEY, tokens TEXT[] NOT NULL);
        CREATE INDEX words_tokens ON words USING gin (tokens);
        """
    }

    func insert(_ tokens: String, of record: Int64, _ db: SQLConnection) throws {
        try db.later(Self.insertion, [.integer(record), .text(tokens)])
    }

    func remove(_ tokens: String, of record: Int64, _ db: SQLConnection) throws {
        try db.later(Self.removal, [.integer(record)])
    }

    func removeUnknown(of record: Int64, _ db: SQLConnection) throws {
        try db.later(Self.removal, [.integer(record)])
    }

    private static let insertion = DeferredStatement(
        """
        INSERT INTO words (record, tokens) VALUES (?, string_to_array(?, ' '))
        ON CONFLICT (record) DO UPDATE SET tokens = excluded.tokens
        """, rank: WriteRank.beside)
    private static let removal = DeferredStatement(delete: "words", where: ["record"], rank: WriteRank.removal)

    func removeAll(_ db: SQLConnection) throws { try db.run("DELETE FROM words") }
    func configure(_ db: SQLConnection) throws {}

    func match(_ groups: [[String]], alias: String) -> (sql: String, values: [SQLValue]) {
        let conditions = groups.map { _ in "\(alias).tokens && string_to_array(?, ' ')" }
        return (conditions.joined(separator: " AND "), groups.map { .text($0.joined(separator: " ")) })
    }
}
