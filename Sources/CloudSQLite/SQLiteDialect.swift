import CloudSQL

/// The SQL dialect of SQLite.
struct SQLiteDialect: SQLDialect {
    var spelling: any SQLSpelling { SQLiteSpelling() }
    var upkeep: any SQLUpkeep { SQLiteUpkeep() }
    var words: any WordIndex { FTSWords() }
    var locations: any LocationIndex { LocationTree() }
    var hasOneWriter: Bool { true }
}

struct SQLiteSpelling: SQLSpelling {
    var mostValues: Int { 32_766 }

    /// False: SQLite joins a CROSS JOIN in written order, with the named index.
    var joinsAnyhow: Bool { false }
    var indexPrefix: IndexPrefix? { nil }

    /// Empty: value columns are untyped in all existing files.
    func type(of kind: SQLColumnKind) -> String { "" }

    func text(of layout: Layout) -> String { layout.sqlite }

    /// The plus removes the column's affinity, which would prevent the use of the index.
    func untyped(_ column: String) -> String { "+\(column)" }

    func isUnfit(_ column: String, for kind: SQLColumnKind) -> String {
        switch kind {
        case .integer: "typeof(\(column)) = 'real' AND CAST(\(column) AS INTEGER) <> \(column)"
        case .real: "typeof(\(column)) = 'integer' AND CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)"
        case .number, .name, .text: "0"
        }
    }

    func digits(_ column: Int, of row: SQLRow) -> String { row.text(column) }

    func index(_ name: String, on table: String, column: String, _ kind: SQLColumnKind, isSparse: Bool) -> String {
        "CREATE INDEX \(name) ON \(table) (zone, \(column), id)" + (isSparse ? " WHERE \(column) IS NOT NULL" : "")
    }
}

/// Words in a contentless FTS5 index.
private struct FTSWords: WordIndex {
    var table: String { "words" }
    var record: String { "rowid" }

    var layout: String {
        """
        -- A row for each such record, by its id, of tokens `field:zone:word`.
        CREATE VIRTUAL TABLE words USING fts5(
            tokens, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars ':'"
        );
        """
    }

    func insert(_ tokens: String, of record: Int64, _ db: SQLConnection) throws {
        try db.run("INSERT INTO words (rowid, tokens) VALUES (?, ?)", .integer(record), .text(tokens))
    }

    func remove(_ tokens: String, of record: Int64, _ db: SQLConnection) throws {
        try db.run(
            "INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)", .integer(record), .text(tokens))
    }

    func removeUnknown(of record: Int64, _ db: SQLConnection) throws {
        try db.script(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_instances USING fts5vocab('main', 'words', 'instance')")
        let tokens = try db.all("SELECT DISTINCT term FROM temp.word_instances WHERE doc = ?", .integer(record)) {
            $0.text(0)
        }
        try db.script("DROP TABLE temp.word_instances")
        if !tokens.isEmpty { try remove(tokens.joined(separator: " "), of: record, db) }
    }

    func removeAll(_ db: SQLConnection) throws { try db.run("INSERT INTO words (words) VALUES ('delete-all')") }

    /// Merges segments rarely: merges slow writes, while extra segments hardly slow searches.
    func configure(_ db: SQLConnection) throws {
        try db.run("INSERT INTO words (words, rank) VALUES ('automerge', 16)")
    }

    func match(_ groups: [[String]], alias: String) -> (sql: String, values: [SQLValue]) {
        let text = groups.map { group in
            "(" + group.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
        }
        return ("\(alias).words MATCH ?", [.text(text.joined(separator: " AND "))])
    }
}
