import CloudEngine
package import CloudModel
package import CloudSQL

/// The rows of a record: its body, its index keys and its references.
package enum RecordTable {
    package static func find(_ name: String, zone: Int64, _ db: SQLConnection) throws -> StoredRecord? {
        try db.first(
            """
            SELECT id, record_type, tag, creator, beside, length(body), share, text_set
            FROM records WHERE zone = ? AND name = ?
            """,
            .integer(zone), .text(name)
        ) { StoredRecord($0) }
    }

    static func body(of stored: StoredRecord, _ db: SQLConnection) throws -> RecordBody {
        try stored.body ?? body(of: stored.id, db)
    }

    static func body(of id: Int64, _ db: SQLConnection) throws -> RecordBody {
        try db.first("SELECT body FROM records WHERE id = ?", .integer(id)) { $0.record(0) } ?? RecordBody([])
    }

    private static let insertion = DeferredStatement(
        insert: """
            INSERT INTO records (id, zone, name, record_type, tag, feed, creator, beside, short_guid, text_set, body)
            """, columns: 11, rank: WriteRank.record)
    private static let overwriting = DeferredStatement(
        """
        UPDATE records
        SET tag = ?, feed = ?, beside = ?, short_guid = ?, text_set = ?, body = ?, share_position = ? WHERE id = ?
        """, rank: WriteRank.record)

    /// A record's row with the data for the rows beside it.
    package struct Row {
        let zone: Int64
        let type: RecordType
        let position: Int64
        let hasFeed: Bool
        let header: RecordBody.Header
        let content: RecordContent
        package let body: RecordBody
        /// Writes the type's values table under the current schema.
        let values: ValuesStatement

        package init(
            zone: Int64, type: RecordType, position: Int64, hasFeed: Bool, header: RecordBody.Header,
            content: RecordContent, body: RecordBody, values: ValuesStatement
        ) {
            self.zone = zone
            self.type = type
            self.position = position
            self.hasFeed = hasFeed
            self.header = header
            self.content = content
            self.body = body
            self.values = values
        }

        /// Kinds of rows beside this row, for deleting them with it.
        var beside: StoredRecord.Beside {
            var beside: StoredRecord.Beside = []
            if header.parent != nil || !content.references.isEmpty || !content.elements.isEmpty {
                beside.insert(.records)
            }
            if !content.assets.isEmpty { beside.insert(.assets) }
            if !content.locations.isEmpty { beside.insert(.locations) }
            return beside
        }
        var key: DeferredKey { DeferredKey(zone, header.recordName) }
        var feed: SQLValue { hasFeed ? .integer(position) : .null }
    }

    /// - Returns: the new row's id.
    package static func insert(_ row: Row, _ transaction: WriteTransaction) throws -> Int64 {
        let text = try RecordText(row, transaction)
        let id = try transaction.nextID(in: .records)
        transaction.prefetched.forget(row.key)
        try transaction.db.later(
            insertion,
            [
                .integer(id), .integer(row.zone), .text(row.header.recordName), .integer(row.type.id),
                .integer(row.position), row.feed, .text(row.header.created.userRecordName),
                .integer(row.beside.rawValue), .text(optional: row.header.handle), text.set, .record(row.body),
            ], key: row.key)
        try insertBeside(row, text, id: id, transaction)
        return id
    }

    /// - Parameter old: the old fields; nil for a damaged body.
    static func overwrite(
        _ stored: StoredRecord, _ old: JSONObject?, with row: Row, _ transaction: WriteTransaction
    ) throws {
        let text = try RecordText(row, transaction)
        if old == nil, stored.textSet != nil { try transaction.words.removeUnknown(of: stored.id) }
        try removeBeside(stored, old, zone: row.zone, transaction)
        transaction.prefetched.forget(row.key)
        try transaction.db.later(
            overwriting,
            [
                .integer(row.position), row.feed, .integer(row.beside.rawValue), .text(optional: row.header.handle),
                text.set, .record(row.body), stored.sharePosition(row.position), .integer(stored.id),
            ], key: row.key)
        try insertBeside(row, text, id: stored.id, transaction)
    }

    /// Writes the server's own data of a record; its fields and the rows beside it stay.
    static func restamp(
        _ stored: StoredRecord, type: RecordType, zone: Int64, _ header: RecordBody.Header, position: Int64,
        body: RecordBody, _ db: SQLConnection
    ) throws {
        try db.run(
            "UPDATE records SET tag = ?, feed = ?, short_guid = ?, body = ?, share_position = ? WHERE id = ?",
            .integer(position), .integer(position), .text(optional: header.handle), .record(body),
            stored.sharePosition(position), .integer(stored.id))
        for table in SchemaTables.tables(type) {
            try db.run(
                "UPDATE \(table) SET modified = ?, modified_by = ?, share = ? WHERE zone = ? AND id = ?",
                .timestamp(header.modified.timestamp), .text(header.modified.userRecordName),
                .text(optional: header.share), .integer(zone), .integer(stored.id))
        }
    }

    private static let burial = DeferredStatement(
        update: "records",
        setting: "record_type = NULL, creator = NULL, beside = 0, short_guid = NULL, text_set = NULL",
        columns: ["tag", "feed", "body", "share_position"], key: "id", rank: WriteRank.record)
    private static let removal = DeferredStatement(delete: "records", where: ["id"], rank: WriteRank.departure)

    /// Deletes a record; leaves a tombstone if the zone has a feed.
    static func delete(
        _ stored: StoredRecord, name: String, type: RecordType?, zone: Int64, feed: Int64?,
        _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        let key = DeferredKey(zone, name)
        if stored.textSet != nil {
            let old = try? ParsedBody(body(of: stored, db)).fields
            if old == nil { try transaction.words.removeUnknown(of: stored.id) }
            try removeBeside(stored, old, zone: zone, transaction)
        } else {
            try removeBeside(stored, nil, zone: zone, transaction)
        }
        transaction.prefetched.forget(key)
        for statement in type.map({ transaction.schema.values($0).removals }) ?? [] {
            try db.later(statement, [.integer(zone), .integer(stored.id)])
        }
        guard let feed else { return try db.later(removal, [.integer(stored.id)], key: key) }
        try db.later(
            burial,
            [
                .integer(feed), .integer(feed), .record(.tombstone(name)), stored.sharePosition(feed),
                .integer(stored.id),
            ], key: key)
    }

    static func deleteTombstone(_ stored: StoredRecord, _ db: SQLConnection) throws {
        try db.run("DELETE FROM records WHERE id = ?", .integer(stored.id))
    }
}

extension StoredRecord {
    /// The position in the feed of the record's share, if it has one, for a change at `position`.
    func sharePosition(_ position: Int64) -> SQLValue { share == nil ? .null : .integer(position) }
}

extension RecordBody.Header {
    /// The record's own short GUID; a share record shows its root's.
    fileprivate var handle: String? { recordType == RecordType.share ? nil : shortGUID }
}
