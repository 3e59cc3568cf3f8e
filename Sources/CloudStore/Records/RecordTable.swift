import CloudModel
import GRDB

/// The rows behind a record: what is returned, what is asked for, what links it to others.
enum RecordTable {
    static func find(_ name: String, zone: Int64, _ db: Database) throws -> StoredRecord? {
        try db.first(
            """
            SELECT id, record_type, tag, creator, links, length(body), share FROM records WHERE zone = ? AND name = ?
            """,
            .integer(zone), .text(name)
        ) { row in
            StoredRecord(
                id: row.integer(0), type: row.isNull(1) ? nil : row.integer(1), tag: row.integer(2),
                creator: row.isNull(3) ? nil : row.text(3), links: .init(rawValue: row.integer(4)),
                bodySize: Int(row.integer(5)), share: row.isNull(6) ? nil : row.integer(6))
        }
    }

    static func body(of id: Int64, _ db: Database) throws -> [UInt8] {
        try db.first("SELECT body FROM records WHERE id = ?", .integer(id)) { $0.blob(0) } ?? []
    }

    /// A record's row with everything that is kept beside it.
    struct Row {
        let zone: Int64
        let type: RecordType
        let position: Int64
        let hasFeed: Bool
        let header: RecordBody.Header
        let content: RecordContent
        let body: [UInt8]
        /// Writes the type's values table as the schema is now.
        let values: ValuesStatement

        /// What is kept beside the row, and has to go with it.
        var links: StoredRecord.Links {
            var links: StoredRecord.Links = []
            if header.parent != nil || !content.links.isEmpty || !content.elements.isEmpty { links.insert(.records) }
            if !content.assets.isEmpty { links.insert(.assets) }
            return links
        }
        var feed: SQLValue { hasFeed ? .integer(position) : .null }
    }

    /// - Returns: the new row's id.
    static func insert(_ row: Row, _ db: Database) throws -> Int64 {
        try db.run(
            """
            INSERT INTO records (zone, name, record_type, tag, feed, creator, links, short_guid, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(row.zone), .text(row.header.recordName), .integer(row.type.id), .integer(row.position), row.feed,
            .text(row.header.created.userRecordName), .integer(row.links.rawValue),
            .text(optional: row.header.handle), .blob(row.body))
        let id = db.lastInsertedRowID
        try insertValues(row, id: id, db)
        return id
    }

    static func overwrite(_ stored: StoredRecord, with row: Row, _ db: Database) throws {
        try deleteLinks(stored, db)
        try db.run(
            """
            UPDATE records SET tag = ?, feed = ?, links = ?, short_guid = ?, body = ?, share_position = ? WHERE id = ?
            """,
            .integer(row.position), row.feed, .integer(row.links.rawValue), .text(optional: row.header.handle),
            .blob(row.body), stored.sharePosition(row.position), .integer(stored.id))
        try insertValues(row, id: stored.id, db)
    }

    /// Writes what the server itself says about a record; its fields and links stay.
    static func restamp(
        _ stored: StoredRecord, type: RecordType, zone: Int64, _ header: RecordBody.Header, position: Int64,
        body: [UInt8], _ db: Database
    ) throws {
        try db.run(
            "UPDATE records SET tag = ?, feed = ?, short_guid = ?, body = ?, share_position = ? WHERE id = ?",
            .integer(position), .integer(position), .text(optional: header.handle), .blob(body),
            stored.sharePosition(position), .integer(stored.id))
        for table in SchemaTables.tables(type) {
            try db.run(
                "UPDATE \(table) SET modified = ?, modified_by = ?, share = ? WHERE zone = ? AND id = ?",
                .integer(header.modified.timestamp), .text(header.modified.userRecordName),
                .text(optional: header.share), .integer(zone), .integer(stored.id))
        }
    }

    /// Leaves a tombstone where a change feed will tell of it, nothing elsewhere.
    static func delete(
        _ stored: StoredRecord, name: String, type: RecordType?, zone: Int64, feed: Int64?, _ db: Database
    ) throws {
        try deleteLinks(stored, db)
        for table in type.map(SchemaTables.tables) ?? [] {
            try db.run("DELETE FROM \(table) WHERE zone = ? AND id = ?", .integer(zone), .integer(stored.id))
        }
        guard let feed else { return try db.run("DELETE FROM records WHERE id = ?", .integer(stored.id)) }
        try db.run(
            """
            UPDATE records
            SET record_type = NULL, tag = ?, feed = ?, creator = NULL, links = 0, short_guid = NULL, body = ?,
                share_position = ?
            WHERE id = ?
            """,
            .integer(feed), .integer(feed), .blob(RecordBody.tombstone(name)), stored.sharePosition(feed),
            .integer(stored.id))
    }

    static func deleteTombstone(_ stored: StoredRecord, _ db: Database) throws {
        try db.run("DELETE FROM records WHERE id = ?", .integer(stored.id))
    }

    // MARK: Beside the row

    private static func insertValues(_ row: Row, id: Int64, _ db: Database) throws {
        for sql in row.values.statements { try db.run(sql, values(row, id: id)) }
        try insertLinks(row, id: id, db)
    }

    /// Derives anew what is kept beside a record, from the row made of its body.
    ///
    /// - Parameters:
    ///   - body: as stored; the row's is what it is to be.
    ///   - generation: of the values table that wants the row; any other has it already.
    static func derive(
        _ row: Row, of stored: StoredRecord, from body: [UInt8], into generation: Int64, _ db: Database
    ) throws {
        try deleteLinks(stored, db)
        if row.links != stored.links {
            try db.run("UPDATE records SET links = ? WHERE id = ?", .integer(row.links.rawValue), .integer(stored.id))
        }
        if row.body != body {
            try db.run("UPDATE records SET body = ? WHERE id = ?", .blob(row.body), .integer(stored.id))
        }
        try insertLinks(row, id: stored.id, db)
        try copyValues(row, id: stored.id, into: generation, db)
    }

    /// Writes a record's row into one generation of its type's values table.
    static func copyValues(_ row: Row, id: Int64, into generation: Int64, _ db: Database) throws {
        try db.run(row.values.statement(into: generation), values(row, id: id))
    }

    private static func values(_ row: Row, id: Int64) -> [SQLValue] {
        let header = row.header
        var values: [SQLValue] = [
            .integer(row.zone), .integer(id), .text(header.recordName), .integer(header.created.timestamp),
            .text(header.created.userRecordName), .integer(header.modified.timestamp),
            .text(header.modified.userRecordName), .text(optional: header.parent),
            .text(optional: header.share),
        ]
        values.reserveCapacity(values.count + row.values.fields.count)
        for field in row.values.fields { values.append(row.content.keys[field].map(SQLValue.init) ?? .null) }
        return values
    }

    private static func insertLinks(_ row: Row, id: Int64, _ db: Database) throws {
        for element in row.content.elements {
            try db.run(
                "INSERT OR IGNORE INTO elements (field, zone, value, record) VALUES (?, ?, ?, ?)",
                .integer(element.field), .integer(row.zone), SQLValue(element.value), .integer(id))
        }
        for link in row.content.links + (row.header.parent.map { [.init(target: $0, kind: .parent)] } ?? []) {
            try db.run(
                "INSERT OR IGNORE INTO record_links (zone, target, kind, source) VALUES (?, ?, ?, ?)",
                .integer(row.zone), .text(link.target), .integer(link.kind.rawValue), .integer(id))
        }
        for asset in row.content.assets { try AssetTable.refer(record: id, to: asset, db) }
    }

    private static func deleteLinks(_ stored: StoredRecord, _ db: Database) throws {
        if stored.links.contains(.records) {
            try db.run("DELETE FROM elements WHERE record = ?", .integer(stored.id))
            try db.run("DELETE FROM record_links WHERE source = ?", .integer(stored.id))
        }
        if stored.links.contains(.assets) { try AssetTable.forget(record: stored.id, db) }
    }
}

extension StoredRecord {
    /// Where the feed of its share, if it is in one, tells of a change at `position`.
    fileprivate func sharePosition(_ position: Int64) -> SQLValue { share == nil ? .null : .integer(position) }
}

extension RecordBody.Header {
    /// The short GUID that is the record's own; a share record shows that of its root.
    fileprivate var handle: String? { recordType == RecordType.share ? nil : shortGUID }
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
