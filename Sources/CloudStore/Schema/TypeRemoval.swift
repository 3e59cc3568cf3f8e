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
        var doomed: [Int64: [String]] = [:]
        var count = 0
        try db.each("SELECT name, zone FROM \(table) NOT INDEXED LIMIT ?", [.integer(Int64(limit))]) { row in
            doomed[row.integer(1), default: []].append(row.text(0))
            count += 1
            return true
        }
        for (zone, names) in doomed.sorted(by: { $0.key < $1.key }) {
            if let id = try ZoneTable.find(id: zone, db) { _ = try remove(names, in: id, zone) }
        }
        return count
    }

    /// Deletes records, what is shared through them, and all that hangs on them by DELETE_SELF.
    ///
    /// - Returns: the names of the records that are gone.
    func remove(_ names: [String], in zone: ZoneID, _ zoneID: Int64) throws -> [String] {
        let deletion = RecordDeletion(zone: zone, zoneID: zoneID, transaction: transaction)
        var doomed = RecordDeletion.Doomed()
        doomed.add(names, with: try deletion.hanging(on: names))
        var gone: [String] = []
        while !doomed.isEmpty {
            let some = doomed.next()
            var records = try transaction.findRecords(some, zone: zoneID)
            if let along = try endShares(of: records, zone, zoneID) {
                doomed.add(along, with: try deletion.hanging(on: along))
                records = try transaction.findRecords(some, zone: zoneID)
            }
            if let last = try deletion.delete(records) { transaction.touch(zone: zoneID, at: last) }
            gone += records.map(\.name)
        }
        return gone
    }

    /// - Returns: the names of the share records that go along with roots; nil where nothing was shared.
    private func endShares(of records: [NamedStoredRecord], _ zone: ZoneID, _ zoneID: Int64) throws -> [String]? {
        let writer = writer(zone, zoneID)
        let marked = records.filter { $0.record.share != nil }.map(\.record.id)
        let roots = marked.isEmpty ? [] : try ShareTable.roots(among: marked, db)
        var along: [String]?
        for item in records {
            let isShare = transaction.catalog.type(id: item.record.type)?.name == RecordType.share
            if isShare, let share = try ShareTable.find(record: item.record.id, db) {
                along = along ?? []
                _ = try writer.end(share)
            } else if roots.contains(item.record.id), let share = try ShareTable.find(root: item.record.id, db) {
                along = (along ?? []) + [try writer.name(of: share.record)]
                _ = try writer.end(share)
            }
        }
        return along
    }

    private func writer(_ zone: ZoneID, _ zoneID: Int64) -> ShareWriter {
        ShareWriter(
            zone: zone, zoneID: zoneID, user: zone.owner, now: now, limits: limits, shortGUIDs: shortGUIDs,
            transaction: transaction)
    }
}
