import CloudModel
import CloudSQL

/// Removes a record type and its records. Each record leaves a tombstone in its zone's feed, like a client's deletion,
/// and DELETE_SELF references cascade. Other references stay: an operator may remove a type despite them.
package struct TypeRemoval {
    let deletion: ImpliedDeletion
    private var transaction: WriteTransaction { deletion.transaction }
    private var db: SQLConnection { transaction.db }

    /// Hides the type from queries and writes. Afterwards the caller must reload the schema.
    func begin(_ type: RecordType) throws {
        let id = SQLValue.integer(type.id)
        try SubscriptionTable.delete(type: type.id, transaction)
        if let building = type.building {
            try DroppedTables.add(SchemaTables.table(type, generation: building), db)
        }
        try db.run("DELETE FROM builds WHERE record_type = ?", id)
        try db.run("DELETE FROM dropped_fields WHERE record_type = ?", id)
        try db.run("DELETE FROM indexes WHERE record_type = ?", id)
        try db.run("DELETE FROM fields WHERE record_type = ?", id)
        try db.run(
            "UPDATE record_types SET is_removed = 1, name = ? WHERE id = ?", .text("-\(type.id) \(type.name)"), id)
    }

    /// The former name of a removed type, which is stored under a name that no type may have.
    static func formerName(of type: RecordType) -> String {
        type.name.split(separator: " ", maxSplits: 1).last.map(String.init) ?? type.name
    }

    /// Deletes records of a removed type, and drops its table after the last record.
    func advance(_ type: RecordType, _ slice: WorkSlice) throws {
        var slice = slice
        while let limit = slice.next() {
            guard try removeSome(of: type, limit: limit) < limit else {
                try transaction.writeWaiting()
                continue
            }
            try DroppedTables.add(SchemaTables.table(type), db)
            try db.run("DELETE FROM record_types WHERE id = ?", .integer(type.id))
            return try transaction.schema.reload()
        }
    }

    /// - Returns: the number of deleted records.
    private func removeSome(of type: RecordType, limit: Int) throws -> Int {
        let table = SchemaTables.table(type)
        var doomed: [Int64: [String]] = [:]
        var count = 0
        try db.each("SELECT name, zone FROM \(table) /*!NOT INDEXED*/ LIMIT ?", [.integer(Int64(limit))]) { row in
            doomed[row.integer(1), default: []].append(row.text(0))
            count += 1
            return true
        }
        for (zone, names) in doomed.sorted(by: { $0.key < $1.key }) {
            if let id = try ZoneTable.find(id: zone, db) { _ = try deletion.deleteAll(names, in: id, zone) }
        }
        return count
    }
}
