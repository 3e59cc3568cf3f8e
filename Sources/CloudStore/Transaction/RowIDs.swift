import CloudSQL

/// Ids for new rows of tables whose rows are deferred, known before they are written.
///
/// The highest is read once, and again where another server has written since.
final class RowIDs: TransactionPart {
    enum Table: String {
        case records, locations
    }

    private var last: [Table: Int64] = [:]

    func next(in table: Table, _ db: SQLConnection) throws -> Int64 {
        let known = try last[table] ?? db.first("SELECT max(id) FROM \(table.rawValue)") { $0.integer(0) } ?? 0
        last[table] = known + 1
        return known + 1
    }

    // Those of what is undone are not used again.
    func begin() {}
    func undo() {}
    func keep() {}
    func committed() {}
    func lost(_ db: SQLConnection) { last.removeAll() }
}

extension WriteTransaction {
    /// An id that no row of the table has. All rows that it gets must have theirs from here.
    func nextID(in table: RowIDs.Table) throws -> Int64 { try part(RowIDs.self).next(in: table, db) }
}
