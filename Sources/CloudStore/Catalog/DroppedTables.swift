import CloudSQL

/// Values tables and indexes that are out of use. Large tables are emptied in slices where an immediate drop would
/// block writers.
///
/// Earlier reads keep using the table in their snapshot; later reads see the newer schema.
enum DroppedTables {
    static func add(_ table: String, _ db: SQLConnection) throws {
        try db.run("INSERT INTO dropped_tables (name) VALUES (?) ON CONFLICT DO NOTHING", .text(table))
    }

    static func add(index: String, _ db: SQLConnection) throws {
        try db.run("INSERT INTO dropped_indexes (name) VALUES (?) ON CONFLICT DO NOTHING", .text(index))
    }

    /// Keeps an index whose removal is queued.
    ///
    /// - Returns: whether the index still exists.
    static func keep(index: String, _ db: SQLConnection) throws -> Bool {
        try db.run("DELETE FROM dropped_indexes WHERE name = ?", .text(index)) > 0
    }

    /// Drops an index, some rows, or an emptied table.
    ///
    /// - Returns: false when no work was queued.
    static func step(_ slice: WorkSlice, _ db: SQLConnection) throws -> Bool {
        if let index = try db.first("SELECT name FROM dropped_indexes", read: { $0.text(0) }) {
            try db.script("DROP INDEX IF EXISTS \(index)")
            return try keep(index: index, db)
        }
        guard let table = try db.first("SELECT name FROM dropped_tables", read: { $0.text(0) }) else { return false }
        if db.dialect.upkeep.dropsAtOnce {
            try drop(table, db)
            return true
        }
        if let index = try db.dialect.upkeep.indexes(of: table, db).first {
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

    /// Drops a whole table; the table must be small where the engine cannot drop at once.
    static func drop(_ table: String, _ db: SQLConnection) throws {
        try db.script("DROP TABLE IF EXISTS \(table)")
        try db.run("DELETE FROM dropped_tables WHERE name = ?", .text(table))
    }
}
