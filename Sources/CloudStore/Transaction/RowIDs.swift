import CloudSQL

/// Gives out ids for new rows before their deferred writes.
///
/// The highest id is read once, and again after another server's commit.
final class RowIDs: TransactionPart {
    enum Table: String, CaseIterable {
        case records, locations, notifications

        /// True if ids of deleted rows are not reused either.
        var neverRepeats: Bool { self == .notifications }
    }

    private var last: [Table: Int64] = [:]
    /// The tables whose last ids have to be written to the database.
    private var advanced: Set<Table> = []

    func next(in table: Table, _ db: SQLConnection) throws -> Int64 {
        let id = try (last[table] ?? readLast(in: table, db)) + 1
        last[table] = id
        if table.neverRepeats { advanced.insert(table) }
        return id
    }

    private func readLast(in table: Table, _ db: SQLConnection) throws -> Int64 {
        if table.neverRepeats { return try db.dialect.upkeep.lastID(of: table.rawValue, db) }
        return try db.first("SELECT max(id) FROM \(table.rawValue)") { $0.integer(0) } ?? 0
    }

    /// Continues after an id, at least.
    func skip(to least: Int64, in table: Table, _ db: SQLConnection) throws {
        guard try (last[table] ?? readLast(in: table, db)) < least else { return }
        last[table] = least
        try db.dialect.upkeep.setLastID(least, of: table.rawValue, db)
    }

    func flush(_ db: SQLConnection) throws {
        for table in Table.allCases where advanced.contains(table) {
            if let id = last[table] { try db.dialect.upkeep.noteLastID(id, of: table.rawValue, db) }
        }
        advanced.removeAll()
    }

    // Ids of undone rows are not reused.
    func begin() {}
    func undo() {}
    func keep() {}
    func committed() {}
    func lost(_ db: SQLConnection) {
        last.removeAll()
        advanced.removeAll()
    }
}

extension WriteTransaction {
    /// A new row id. All rows of the table must take their ids from here.
    func nextID(in table: RowIDs.Table) throws -> Int64 { try part(RowIDs.self).next(in: table, db) }
}
