import CloudSQL

/// Questions about SQLite's own tables.
struct SQLiteUpkeep: SQLUpkeep {
    func hasTable(_ name: String, _ db: SQLConnection) throws -> Bool {
        try db.exists("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", .text(name))
    }

    func lastID(of table: String, _ db: SQLConnection) throws -> Int64 {
        try db.first("SELECT seq FROM sqlite_sequence WHERE name = ?", .text(table)) { $0.integer(0) } ?? 0
    }

    func setLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws {
        // The table `sqlite_sequence` has no key for an upsert.
        if try db.run("UPDATE sqlite_sequence SET seq = ? WHERE name = ?", .integer(id), .text(table)) == 0 {
            try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", .text(table), .integer(id))
        }
    }

    /// Not needed: SQLite records the highest id of explicit inserts.
    func noteLastID(_ id: Int64, of table: String, _ db: SQLConnection) throws {}

    /// False: SQLite frees every page of a table separately.
    var dropsAtOnce: Bool { false }

    func indexes(of table: String, _ db: SQLConnection) throws -> [String] {
        try db.all(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", .text(table)
        ) { $0.text(0) }
    }

    func damage(most: Int, _ db: SQLConnection) throws -> [String] {
        var problems: [String] = []
        try db.each("PRAGMA integrity_check(\(most))", []) { row in
            if row.text(0) != "ok" { problems.append("the database: \(row.text(0))") }
            return true
        }
        try db.each("PRAGMA foreign_key_check", []) { row in
            problems.append(
                "row \(row.integer(1)) of \(row.text(0)) refers to a row of \(row.text(2)) that is not there")
            return problems.count < most
        }
        return problems
    }
}
