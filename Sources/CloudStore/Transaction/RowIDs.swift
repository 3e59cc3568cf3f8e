import CloudSQL

/// Ids for new rows of tables whose rows are deferred, known before they are written.
///
/// The highest is read once, and again where another server has written since.
final class RowIDs: TransactionPart {
    enum Table: String, CaseIterable {
        case records, locations, notifications

        /// Whether no id is used twice, not even that of a row that has gone.
        var neverRepeats: Bool { self == .notifications }
    }

    private var last: [Table: Int64] = [:]
    /// The tables whose last ids the database is not told yet.
    private var advanced: Set<Table> = []

    func next(in table: Table, _ db: SQLConnection) throws -> Int64 {
        let id = try (last[table] ?? readLast(in: table, db)) + 1
        last[table] = id
        if table.neverRepeats { advanced.insert(table) }
        return id
    }

    private func readLast(in table: Table, _ db: SQLConnection) throws -> Int64 {
        if table.neverRepeats { return try db.dialect.lastID(of: table.rawValue, db) }
        return try db.first("SELECT max(id) FROM \(table.rawValue)") { $0.integer(0) } ?? 0
    }

    /// Goes on after an id at least.
    func skip(to least: Int64, in table: Table, _ db: SQLConnection) throws {
        guard try (last[table] ?? readLast(in: table, db)) < least else { return }
        last[table] = least
        try db.dialect.setLastID(least, of: table.rawValue, db)
    }

    func flush(_ db: SQLConnection) throws {
        for table in Table.allCases where advanced.contains(table) {
            if let id = last[table] { try db.dialect.noteLastID(id, of: table.rawValue, db) }
        }
        advanced.removeAll()
    }

    // Those of what is undone are not used again.
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
    /// An id that no row of the table has. All rows that it gets must have theirs from here.
    func nextID(in table: RowIDs.Table) throws -> Int64 { try part(RowIDs.self).next(in: table, db) }
}
