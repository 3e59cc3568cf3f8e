import CloudModel
import CloudSQL

/// A user's record in the public database, whose name is the user record name (reference B §5.0).
enum UserRecords {
    static func ensure(_ recordName: String, now: Timestamp, _ transaction: WriteTransaction) throws {
        let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)
        guard let type = transaction.catalog.types[RecordType.users] else { return }
        let row: ZoneRow
        if let known = try transaction.zones.find(zone) {
            row = known
        } else {
            row = try ZoneTable.insert(zone, position: transaction.nextPosition(), transaction.db)
            transaction.zones.remember(row, zone)
        }
        guard try RecordTable.find(recordName, zone: row.id, transaction.db) == nil else { return }
        let position = try transaction.nextPosition()
        let stamp = transaction.stamp(by: recordName, at: now)
        let header = RecordBody.Header(
            recordName: recordName, recordType: type.name, changeTag: transaction.tag(position), created: stamp,
            modified: stamp)
        let content = RecordContent([], zone: zone)
        let record = RecordTable.Row(
            zone: row.id, type: type, position: position, hasFeed: false, header: header, content: content,
            body: RecordBody(header, fields: content.json, zone: nil), values: transaction.schema.values(type)
        )
        _ = try RecordTable.insert(record, transaction)
        try transaction.addPublished(recordName, type: type.name)
        transaction.usage.add(bytes: record.body.size, records: 1, owner: zone.owner)
    }
}
