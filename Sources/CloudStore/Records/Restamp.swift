import CloudModel
import GRDB

/// A record's new tag and stamp when the server changes what it says about the record, and no field with it.
struct Restamp {
    let zone: ZoneID
    let zoneID: Int64
    /// Whose doing it is.
    let user: String
    /// Milliseconds since 1970-01-01Z.
    let now: Int64
    let transaction: WriteTransaction

    /// - Returns: the position of the change.
    @discardableResult
    func run(_ name: String, change: (inout RecordBody.Header) -> Void = { _ in }) throws -> Int64 {
        let db = transaction.db
        guard let stored = try RecordTable.find(name, zone: zoneID, db),
            let type = transaction.catalog.type(id: stored.type)
        else { throw ServerError(.notFound, "Record not found") }
        let body = try RecordTable.body(of: stored.id, db)
        let old = try ParsedBody(body)
        let position = transaction.nextPosition()
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: ChangeTag.text(position), created: old.created,
            modified: RecordBody.Stamp(timestamp: now, userRecordName: user), parent: old.parent,
            shortGUID: old.shortGUID, share: old.share)
        change(&header)
        let fields = try old.fieldsText(of: body, type, zone: zone)
        let composed = RecordBody.compose(header, fields: fields, zone: zone)
        try RecordTable.restamp(stored, type: type, zone: zoneID, header, position: position, body: composed, db)
        transaction.count(bytes: composed.count - body.count, records: 0, owner: zone.owner)
        try transaction.note(.update, of: stored.id, named: name, type, in: zone, zoneID)
        transaction.touch(zone: zoneID, at: position)
        if let share = stored.share { transaction.touch(share: share, at: position) }
        return position
    }
}
