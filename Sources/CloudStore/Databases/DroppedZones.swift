import CloudModel
import CloudSQL

/// Deleted zones with too many records for one transaction, emptied a few records at a time.
///
/// Such a zone's row has no findable name, and its records are invisible.
enum DroppedZones {
    /// The migration "19 deletions".
    static let sql = """
        -- The rows of zones that nobody finds any more. Records up to the name passed are deleted.
        CREATE TABLE dropped_zones (zone INTEGER PRIMARY KEY, passed TEXT NOT NULL);
        """

    /// Records deleted between two checks of the clock.
    private static let chunk = 32

    /// Drops a zone's row, which frees the zone's name.
    static func add(_ row: Int64, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        try db.run("UPDATE zones SET deleted = -id, position = 0 WHERE id = ?", .integer(row))
        try db.run("INSERT INTO dropped_zones (zone, passed) VALUES (?, '')", .integer(row))
        transaction.wantWork()
    }

    struct Zone {
        let row: Int64
        let owner: String
        var passed: String
    }

    /// - Returns: false without any zone to empty.
    static func step(_ slice: WorkSlice, _ transaction: WriteTransaction) throws -> Bool {
        guard let zone = try first(except: [], transaction.db) else { return false }
        try empty(zone, slice, transaction)
        return true
    }

    /// - Parameter stuck: work to skip.
    static func first(except stuck: Set<StuckWork.Place>, _ db: SQLConnection) throws -> Zone? {
        let rows = stuck.compactMap { if case .droppedZone(let row) = $0 { row } else { nil } }
        return try db.first(
            """
            SELECT d.zone, z.owner, d.passed FROM dropped_zones d CROSS JOIN zones z ON z.id = d.zone
            WHERE d.zone NOT IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) LIMIT 1
            """, .list(rows)
        ) { Zone(row: $0.integer(0), owner: $0.text(1), passed: $0.text(2)) }
    }

    /// Deletes a zone's records, and its row after the last record.
    static func empty(_ zone: Zone, _ slice: WorkSlice, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        var (zone, slice) = (zone, slice)
        while let limit = slice.next(chunk) {
            let records = try records(of: zone, limit: limit, db)
            for item in records { try delete(item, zone, transaction) }
            if let last = records.last, records.count == limit {
                zone.passed = last.name
                try transaction.writeWaiting()
                continue
            }
            try db.run("DELETE FROM dropped_zones WHERE zone = ?", .integer(zone.row))
            try db.run("DELETE FROM zones WHERE id = ?", .integer(zone.row))
            return
        }
        try db.run("UPDATE dropped_zones SET passed = ? WHERE zone = ?", .text(zone.passed), .integer(zone.row))
    }

    /// Records and tombstones, with bodies where words are indexed.
    private static func records(of zone: Zone, limit: Int, _ db: SQLConnection) throws -> [NamedStoredRecord] {
        try db.all(
            """
            SELECT id, record_type, tag, creator, beside, length(body), share, text_set,
                CASE WHEN text_set IS NOT NULL THEN body END, name
            FROM records WHERE zone = ? AND name > ? ORDER BY name LIMIT ?
            """, .integer(zone.row), .text(zone.passed), .integer(Int64(limit))
        ) { NamedStoredRecord(name: $0.text(9), record: StoredRecord($0, body: 8)) }
    }

    private static func delete(_ item: NamedStoredRecord, _ zone: Zone, _ transaction: WriteTransaction) throws {
        let record = item.record
        try RecordTable.delete(
            record, name: item.name, type: transaction.catalog.type(id: record.type), zone: zone.row, feed: nil,
            transaction)
        guard record.type != nil else { return }
        transaction.count(bytes: -record.bodySize, records: -1, owner: zone.owner)
    }
}
