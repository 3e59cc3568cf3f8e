import GRDB

/// Values tables that are no longer asked. Dropping a large one at once would hold up writes, so it goes bit by bit.
///
/// A read that began before goes on in its snapshot; one that begins later learns of the newer schema there.
enum DroppedTables {
    static func add(_ table: String, _ db: Database) throws {
        try db.run("INSERT OR IGNORE INTO dropped_tables (name) VALUES (?)", .text(table))
    }

    /// Drops an index, some rows or the rest of a table.
    ///
    /// - Returns: false when there was nothing to do.
    static func step(_ slice: WorkSlice, _ db: Database) throws -> Bool {
        guard let table = try db.first("SELECT name FROM dropped_tables", read: { $0.text(0) }) else { return false }
        let index = try db.first(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", .text(table)
        ) { $0.text(0) }
        if let index {
            try db.execute(sql: "DROP INDEX \(index)")
            return true
        }
        var slice = slice
        while let rows = slice.next() {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE (zone, id) IN (SELECT zone, id FROM \(table) LIMIT \(rows))")
            guard db.changesCount < rows else { continue }
            try drop(table, db)
            return true
        }
        return true
    }

    /// Drops a whole table, which is to be a small one.
    static func drop(_ table: String, _ db: Database) throws {
        try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
        try db.run("DELETE FROM dropped_tables WHERE name = ?", .text(table))
    }
}
