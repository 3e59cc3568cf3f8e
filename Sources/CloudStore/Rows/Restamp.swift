import CloudModel
import CloudSQL

/// Gives a record a new tag and stamp when the server changes its own data of the record but no field.
struct Restamp {
    let zone: ZoneID
    let zoneID: Int64
    /// The user who makes the change.
    let user: String
    let now: Timestamp
    let transaction: WriteTransaction

    /// - Returns: the position of the change.
    @discardableResult
    func run(_ name: String, change: (inout RecordBody.Header) -> Void = { _ in }) throws -> Int64 {
        let db = transaction.db
        guard let stored = try RecordTable.find(name, zone: zoneID, db),
            let type = transaction.catalog.type(id: stored.type)
        else { throw ServerError(.notFound, "Record not found", .missing(.record)) }
        let body = try RecordTable.body(of: stored.id, db)
        let old = try ParsedBody(body)
        let position = try transaction.nextPosition()
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: transaction.tag(position), created: old.created,
            modified: transaction.stamp(by: user, at: now), parent: old.parent,
            shortGUID: old.shortGUID, share: old.share)
        change(&header)
        let written: RecordBody
        if type.dropped.isEmpty {
            written = RecordBody(header, fields: body.fields, zone: zone)
            try RecordTable.restamp(stored, type: type, zone: zoneID, header, position: position, body: written, db)
        } else {
            written = try clear(stored, old, type, header, position)
        }
        transaction.usage.add(bytes: written.size - body.size, records: 0, owner: zone.owner)
        try transaction.didChange(
            ChangedRecord(reason: .update, id: stored.id, name: name, type: type, zone: zone, zoneRow: zoneID))
        transaction.zones.touch(zoneID, at: position)
        if let share = stored.share { transaction.touch(share: share, at: position) }
        return position
    }

    /// Rewrites a record that may have values in removed fields: with a new tag they would count as current, so they are
    /// removed together with their index rows.
    private func clear(
        _ stored: StoredRecord, _ old: ParsedBody, _ type: RecordType, _ header: RecordBody.Header, _ position: Int64
    ) throws -> RecordBody {
        let content = RecordContent(
            try old.values(of: type, zone: zone), untyped: old.untypedLists(of: type), zone: zone)
        let row = RecordTable.Row(
            zone: zoneID, type: type, position: position, hasFeed: true, header: header, content: content,
            body: RecordBody(header, fields: content.json, zone: zone),
            values: transaction.schema.values(type))
        try RecordTable.overwrite(stored, old.fields, with: row, transaction)
        return row.body
    }
}
