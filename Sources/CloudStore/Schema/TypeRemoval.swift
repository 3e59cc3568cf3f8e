import CloudModel
import CloudSQL

/// Takes a record type out of the schema, and its records after it: each leaves a tombstone in its zone's feed, as if
/// somebody had deleted it, and so do the records whose DELETE_SELF references hold them. What refers to them otherwise
/// stays: nothing forbids an operator to remove a type.
struct TypeRemoval {
    let transaction: WriteTransaction
    let now: Timestamp
    let limits: Limits
    let shortGUIDs: ShortGUID
    private var db: SQLConnection { transaction.db }

    /// Nobody can ask for the type from here on. The schema has to be read anew after this.
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

    /// The name that a removed type had; it is stored under a name that no record type may have.
    static func formerName(of type: RecordType) -> String {
        type.name.split(separator: " ", maxSplits: 1).last.map(String.init) ?? type.name
    }

    /// Deletes records of a removed type; with the last of them its table goes too.
    func advance(_ type: RecordType, _ slice: WorkSlice) throws {
        var slice = slice
        while let limit = slice.next() {
            guard try removeSome(of: type, limit: limit) < limit else { continue }
            try DroppedTables.add(SchemaTables.table(type), db)
            try db.run("DELETE FROM record_types WHERE id = ?", .integer(type.id))
            return try transaction.reloadSchema()
        }
    }

    /// - Returns: how many there were.
    private func removeSome(of type: RecordType, limit: Int) throws -> Int {
        let table = SchemaTables.table(type)
        var doomed: [(name: String, zone: Int64)] = []
        try db.each("SELECT name, zone FROM \(table) NOT INDEXED LIMIT ?", [.integer(Int64(limit))]) { row in
            doomed.append((row.text(0), row.integer(1)))
            return true
        }
        for (name, zone) in doomed {
            // One that hung on another is gone with it.
            guard let id = try ZoneTable.find(id: zone, db), let record = try RecordTable.find(name, zone: zone, db),
                record.type == type.id
            else { continue }
            _ = try remove(record, name: name, in: id, zone)
        }
        return doomed.count
    }

    /// Deletes one record, what is shared through it, and all that hangs on it by DELETE_SELF.
    ///
    /// - Returns: the names of the records that are gone.
    func remove(_ first: StoredRecord, name: String, in zone: ZoneID, _ zoneID: Int64) throws -> [String] {
        var gone: [String] = []
        var doomed = [(record: first, name: name)]
        // Who refers to two doomed records is found twice.
        var seen: Set<Int64> = []
        while let next = doomed.popLast() {
            guard seen.insert(next.record.id).inserted else { continue }
            gone += try removeOne(next.record, name: next.name, in: zone, zoneID)
            // A user's own record is never deleted.
            doomed += try ReferenceTable.holders(of: next.name, kind: .deleteSelf, zone: zoneID, db)
                .filter { transaction.catalog.type(id: $0.record.type)?.name != RecordType.users }
        }
        return gone
    }

    private func removeOne(
        _ record: StoredRecord, name: String, in zone: ZoneID, _ zoneID: Int64
    ) throws -> [String] {
        var gone = [name]
        var record = record
        if transaction.catalog.type(id: record.type)?.name == RecordType.share {
            if let share = try ShareTable.find(record: record.id, db) { _ = try writer(zone, zoneID).end(share) }
        } else if record.share != nil, let share = try ShareTable.find(root: record.id, db) {
            let shareName = try writer(zone, zoneID).name(of: share.record)
            _ = try writer(zone, zoneID).end(share)
            if let shareRecord = try RecordTable.find(shareName, zone: zoneID, db) {
                try delete(shareRecord, name: shareName, in: zone, zoneID)
                gone.append(shareName)
            }
            record = try RecordTable.find(name, zone: zoneID, db) ?? record
        }
        try delete(record, name: name, in: zone, zoneID)
        return gone
    }

    private func delete(_ record: StoredRecord, name: String, in zone: ZoneID, _ zoneID: Int64) throws {
        let type = transaction.catalog.type(id: record.type)
        let position = try transaction.nextPosition()
        if let type {
            try transaction.note(
                ChangedRecord(reason: .delete, id: record.id, name: name, type: type, zone: zone, zoneRow: zoneID))
        }
        try RecordTable.delete(
            record, name: name, type: type, zone: zoneID, feed: zone.isCustom ? position : nil, transaction)
        transaction.touch(zone: zoneID, at: position)
        if let share = record.share { transaction.touch(share: share, at: position) }
        transaction.count(bytes: -record.bodySize, records: -1, owner: zone.owner)
    }

    private func writer(_ zone: ZoneID, _ zoneID: Int64) -> ShareWriter {
        ShareWriter(
            zone: zone, zoneID: zoneID, user: zone.owner, now: now, limits: limits, shortGUIDs: shortGUIDs,
            transaction: transaction)
    }
}
