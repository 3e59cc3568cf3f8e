import CloudModel
import CloudSQL

// A record with a damaged body can be replaced or deleted: other tables hold its remaining data.
extension ParsedBody {
    /// Reads a record's stored body; to replace a damaged body, salvages data from other tables.
    ///
    /// - Throws: ``ServerError/damagedRecord``.
    init(
        _ stored: StoredRecord, name: String, _ type: RecordType, isReplaced: Bool, _ transaction: WriteTransaction
    ) throws {
        do { try self.init(RecordTable.body(of: stored, transaction.db)) } catch let error as ServerError
            where isReplaced && error == .damagedRecord
        {
            self = try Self.salvaged(stored, name: name, type, transaction)
        }
    }

    private static func salvaged(
        _ stored: StoredRecord, name: String, _ type: RecordType, _ transaction: WriteTransaction
    ) throws -> ParsedBody {
        let db = transaction.db
        let id = SQLValue.integer(stored.id)
        let text = { (sql: String) in try db.first(sql, id) { $0.optionalText(0) } ?? nil }
        let created = try db.first("SELECT created, created_by FROM \(SchemaTables.table(type)) WHERE id = ?", id) {
            RecordBody.Stamp(timestamp: $0.timestamp(0), userRecordName: $0.text(1))
        }
        return ParsedBody(
            recordName: name, changeTag: transaction.tag(stored.tag),
            created: created
                ?? RecordBody.Stamp(timestamp: Timestamp(milliseconds: 0), userRecordName: stored.creator ?? ""),
            parent: try text("SELECT target FROM record_references WHERE source = ? AND kind = 3"),
            shortGUID: try text(
                type.name == RecordType.share
                    ? "SELECT short_guid FROM shares WHERE record = ?" : "SELECT short_guid FROM records WHERE id = ?"),
            share: try text("SELECT r.name FROM shares s /*!CROSS*/ JOIN records r ON r.id = s.record WHERE s.root = ?")
        )
    }
}
