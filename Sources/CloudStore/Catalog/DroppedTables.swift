import CloudSQL

/// Values tables and indexes that are no longer asked. Where dropping a large one at once would hold up writes, it goes
/// bit by bit.
///
/// A read that began before goes on in its snapshot; one that begins later learns of the newer schema there.
enum DroppedTables {
    static func add(_ table: String, _ db: SQLConnection) throws {
        try db.run("INSERT OR IGNORE INTO dropped_tables (name) VALUES (?)", .text(table))
    }

    static func add(index: String, _ db: SQLConnection) throws {
        try db.run("INSERT OR IGNORE INTO dropped_indexes (name) VALUES (?)", .text(index))
    }

    /// Takes an index back that somebody asks for after all.
    ///
    /// - Returns: whether it was there still.
    static func keep(index: String, _ db: SQLConnection) throws -> Bool {
        try db.run("DELETE FROM dropped_indexes WHERE name = ?", .text(index)) > 0
    }

    /// Drops an index, some rows or the rest of a table.
    ///
    /// - Returns: false when there was nothing to do.
    static func step(_ slice: WorkSlice, _ db: SQLConnection) throws -> Bool {
        if let index = try db.first("SELECT name FROM dropped_indexes", read: { $0.text(0) }) {
            try db.script("DROP INDEX IF EXISTS \(index)")
            return try keep(index: index, db)
        }
        guard let table = try db.first("SELECT name FROM dropped_tables", read: { $0.text(0) }) else { return false }
        if db.dialect.dropsAtOnce {
            try drop(table, db)
            return true
        }
        if let index = try db.dialect.indexes(of: table, db).first {
            try db.script("DROP INDEX \(index)")
            return true
        }
        var slice = slice
        while let rows = slice.next() {
            let gone = try db.run(
                "DELETE FROM \(table) WHERE (zone, id) IN (SELECT zone, id FROM \(table) LIMIT ?)",
                .integer(Int64(rows)))
            guard gone < rows else { continue }
            try drop(table, db)
            return true
        }
        return true
    }

    /// Drops a whole table, which is to be a small one where tables do not go at once.
    static func drop(_ table: String, _ db: SQLConnection) throws {
        try db.script("DROP TABLE IF EXISTS \(table)")
        try db.run("DELETE FROM dropped_tables WHERE name = ?", .text(table))
    }
}
