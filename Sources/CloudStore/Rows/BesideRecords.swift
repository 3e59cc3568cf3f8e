import CloudEngine
import CloudModel
import CloudSQL

// The rows beside a record's own row: values, words, locations, elements, references and assets.
extension RecordTable {
    /// Writes all rows beside a record's own row.
    static func insertBeside(
        _ row: Row, _ text: RecordText, id: Int64, _ transaction: WriteTransaction
    ) throws {
        let values = values(row, id: id)
        for statement in row.values.statements { try transaction.db.later(statement, values) }
        try insertDerived(row, words: text.tokens, id: id, transaction)
    }

    /// Removes the rows beside a record's own row, except the row of values, which is overwritten.
    ///
    /// - Parameter old: the old fields, for removing their words; nil to leave words alone.
    static func removeBeside(
        _ stored: StoredRecord, _ old: JSONObject?, zone: Int64, _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        if let old, let set = stored.textSet { try transaction.words.remove(of: stored.id, old, set: set, zone: zone) }
        if stored.beside.contains(.locations) { try LocationTable.delete(record: stored.id, db) }
        if stored.beside.contains(.records) {
            try db.later(elementsRemoval, [.integer(stored.id)])
            try db.later(referencesRemoval, [.integer(stored.id)])
        }
        if stored.beside.contains(.assets) { try AssetTable.forget(record: stored.id, db) }
    }

    /// Derives the rows beside a record again, from a row made of its body.
    ///
    /// - Parameters:
    ///   - old: the stored body; the row's body replaces it.
    ///   - insertion: into the values table that lacks the row; other values tables already have it.
    static func derive(
        _ row: Row, of stored: StoredRecord, from old: RecordBody, with insertion: DeferredStatement,
        _ transaction: WriteTransaction
    ) throws {
        let text = try RecordText(row, transaction)
        // Equal fields have equal words: most index builds concern other data.
        let keepsWords = text.set == stored.textSet.map(SQLValue.integer) ?? .null
        let words = try keepsWords ? nil : stored.textSet.map { _ in try ParsedBody(old).fields }
        try removeBeside(stored, words, zone: row.zone, transaction)
        if row.beside != stored.beside || !keepsWords {
            try transaction.db.run(
                "UPDATE records SET beside = ?, text_set = ? WHERE id = ?", .integer(row.beside.rawValue), text.set,
                .integer(stored.id))
        }
        if row.position != stored.tag {
            try transaction.db.run(
                "UPDATE records SET tag = ?, feed = ?, share_position = ?, body = ? WHERE id = ?",
                .integer(row.position), row.feed, stored.sharePosition(row.position), .record(row.body),
                .integer(stored.id))
        } else if row.body != old {
            try transaction.db.run(
                "UPDATE records SET body = ? WHERE id = ?", .record(row.body), .integer(stored.id))
        }
        try insertDerived(row, words: keepsWords ? nil : text.tokens, id: stored.id, transaction)
        try transaction.db.later(insertion, values(row, id: stored.id))
    }

    private static func values(_ row: Row, id: Int64) -> [SQLValue] {
        let header = row.header
        var values: [SQLValue] = [
            .integer(row.zone), .integer(id), .text(header.recordName), .timestamp(header.created.timestamp),
            .text(header.created.userRecordName), .timestamp(header.modified.timestamp),
            .text(header.modified.userRecordName), .text(optional: header.parent),
            .text(optional: header.share),
        ]
        values.reserveCapacity(values.count + row.values.fields.count)
        for field in row.values.fields { values.append(row.content.keys[field].map(SQLValue.init) ?? .null) }
        return values
    }

    private static let elementsRemoval = DeferredStatement(
        delete: "elements", where: ["record"], rank: WriteRank.removal)
    private static let referencesRemoval = DeferredStatement(
        delete: "record_references", where: ["source"], rank: WriteRank.removal)
    private static let elementInsertion = DeferredStatement(
        insert: "INSERT INTO elements (field, zone, value, record)", columns: 4,
        replacing: "ON CONFLICT DO NOTHING", rank: WriteRank.beside)
    private static let referenceInsertion = DeferredStatement(
        insert: "INSERT INTO record_references (zone, target, kind, source)", columns: 4,
        replacing: "ON CONFLICT DO NOTHING", rank: WriteRank.beside)

    /// Writes the rows beside a record, except the row of values.
    private static func insertDerived(
        _ row: Row, words tokens: String?, id: Int64, _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        if let tokens { try transaction.words.add(tokens, to: id) }
        for (field, coordinate) in row.content.locations {
            try LocationTable.insert(coordinate, of: field, record: id, zone: row.zone, transaction)
        }
        var seen: Set<[SQLValue]> = []
        for element in row.content.elements {
            let value = SQLValue(element.value)
            guard seen.insert([.integer(element.field), value.identity]).inserted else { continue }
            try db.later(elementInsertion, [.integer(element.field), .integer(row.zone), value, .integer(id)])
        }
        for reference in row.content.references + (row.header.parent.map { [.init(target: $0, kind: .parent)] } ?? []) {
            try db.later(
                referenceInsertion,
                [.integer(row.zone), .text(reference.target), .integer(reference.kind.rawValue), .integer(id)])
        }
        if !row.content.assets.isEmpty { transaction.part(FactsPart.self).isWanted = true }
        for asset in row.content.assets { try AssetTable.refer(record: id, to: asset, db) }
    }
}

extension SQLValue {
    init(_ key: IndexKey) {
        self =
            switch key {
            case .integer(let integer): .integer(integer)
            case .real(let real): .real(real)
            case .text(let text): .text(text)
            }
    }
}
