import CloudModel
import CloudSQL

/// Re-derives a record's stored rows from its body, under the current schema.
struct RecordDerivation {
    /// A record in a build.
    struct Source {
        let record: StoredRecord
        let zone: Int64
        let body: RecordBody
    }

    let type: RecordType
    let transaction: WriteTransaction
    private let values: ValuesStatement
    private let insertion: DeferredStatement
    private var zones: [Int64: ZoneID] = [:]

    /// - Parameter generation: the generation of the values table to fill.
    init(_ type: RecordType, generation: Int64, _ transaction: WriteTransaction) {
        self.type = type
        self.transaction = transaction
        values = transaction.schema.values(type)
        insertion = values.statement(into: generation)
    }

    mutating func run(_ source: Source) throws {
        let zone = try zone(source.zone)
        let row = try row(of: source, in: zone)
        try RecordTable.derive(row, of: source.record, from: source.body, with: insertion, transaction)
        transaction.usage.add(bytes: row.body.size - source.body.size, records: 0, owner: zone.owner)
        guard row.position != source.record.tag else { return }
        transaction.zones.touch(source.zone, at: row.position)
        if let share = source.record.share { transaction.touch(share: share, at: row.position) }
    }

    /// Returns true if the body still has a value for a field removed later.
    private func isCut(_ body: ParsedBody, _ source: Source) -> Bool {
        type.dropped.contains { source.record.tag <= $0.value && body.fields.contains($0.key) }
    }

    /// A record that loses a value gets a new tag and a new feed position.
    private func row(of source: Source, in zone: ZoneID) throws -> RecordTable.Row {
        let parsed = try ParsedBody(source.body)
        let isCut = isCut(parsed, source)
        let position = isCut ? try transaction.nextPosition() : source.record.tag
        let header = RecordBody.Header(
            recordName: parsed.recordName, recordType: type.name,
            changeTag: isCut ? transaction.tag(position) : parsed.changeTag, created: parsed.created,
            modified: parsed.modified, parent: parsed.parent, shortGUID: parsed.shortGUID,
            share: parsed.share)
        let content = RecordContent(
            try parsed.values(of: type, zone: zone), untyped: parsed.untypedLists(of: type), zone: zone)
        let isSame = !isCut && content.json == source.body.fields
        let owner = zone.owner == ZoneID.publicOwner ? nil : zone
        return RecordTable.Row(
            zone: source.zone, type: type, position: position, hasFeed: zone.isCustom, header: header,
            content: content,
            body: isSame ? source.body : RecordBody(header, fields: content.json, zone: owner),
            values: values)
    }

    private mutating func zone(_ id: Int64) throws -> ZoneID {
        if let known = zones[id] { return known }
        guard let zone = try ZoneTable.find(id: id, transaction.db) else {
            throw SQLError(.damaged, "there is no zone \(id)")
        }
        zones[id] = zone
        return zone
    }
}
