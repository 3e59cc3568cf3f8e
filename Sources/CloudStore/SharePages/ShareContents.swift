package import CloudModel
import CloudSQL

/// Records that are visible through a share.
package struct ShareRecordsPage: Sendable {
    /// Stored forms.
    package let records: [RecordBody]
    /// The place where the next page begins; nil when this is the last.
    package let next: Int64?
}

/// A summary of what a share shows.
package struct ShareSummary: Hashable, Sendable {
    /// Number of files by their media type.
    package var files: [String: Int] = [:]
    /// Records without files, the root left out.
    package var records = 0
    /// The times when the first and the last of the records were made; the root counts when there is nothing else.
    package var first: Timestamp?
    package var last: Timestamp?
    /// True if there are more than were counted.
    package var isCutShort = false

    package init() {}
}

/// Records visible through a share, the share record left out, in the order in which they were made: that of row ids,
/// which a change does not touch.
struct ShareContents {
    /// Bytes after which a page ends early: a hundred records may be a hundred megabytes.
    private static let bytesPerPage = 4 << 20

    private let share: ShareRow
    private let tables: [String]

    /// - Throws: as ``ShareStore/share(_:as:)`` does.
    init(_ handle: String, as viewer: Person?, _ catalog: Catalog, _ db: SQLConnection) throws {
        share = try ShareRow.visible(handle, to: viewer, db).row
        // A zone has no index of its records by id, but the values of each of its types are in that order.
        tables =
            share.isZoneWide ? try CatalogReader.current(catalog, db).types.values.map { SchemaTables.table($0) } : []
    }

    func page(after id: Int64, limit: Int, _ db: SQLConnection) throws -> ShareRecordsPage {
        let ids = try ids(after: id, limit: limit + 1, db)
        var records: [RecordBody] = []
        var bytes = 0
        for id in ids.prefix(limit) where bytes < Self.bytesPerPage {
            records.append(try RecordTable.body(of: id, db))
            bytes += records[records.count - 1].size
        }
        return ShareRecordsPage(
            records: records, next: ids.count > records.count ? ids.prefix(records.count).last : nil)
    }

    func summary(items: Set<String>?, limit: Int, _ db: SQLConnection) throws -> ShareSummary {
        var summary = ShareSummary()
        var (first, last): (Int64?, Int64?)
        let ids = try ids(after: 0, limit: limit + 1, db)
        for id in ids.prefix(limit) where try isCounted(id, items, db) {
            let types = try AssetTable.contentTypes(record: id, db)
            for type in types { summary.files[type, default: 0] += 1 }
            guard id != share.root else { continue }
            if types.isEmpty { summary.records += 1 }
            (first, last) = (first ?? id, id)
        }
        summary.isCutShort = ids.count > limit
        summary.first = try (first ?? share.root).map { try Self.created($0, db) }
        summary.last = try (last ?? share.root).map { try Self.created($0, db) }
        return summary
    }

    private func isCounted(_ id: Int64, _ items: Set<String>?, _ db: SQLConnection) throws -> Bool {
        guard let items, id != share.root else { return true }
        return items.contains(try db.first("SELECT name FROM records WHERE id = ?", .integer(id)) { $0.text(0) } ?? "")
    }

    private func ids(after id: Int64, limit: Int, _ db: SQLConnection) throws -> ArraySlice<Int64> {
        let bounds = [SQLValue.integer(id), .integer(share.record), .integer(Int64(limit))]
        guard share.isZoneWide else {
            return try Self.ids(
                """
                SELECT id FROM records INDEXED BY records_made
                WHERE share = ? AND record_type IS NOT NULL AND id > ? AND id <> ? ORDER BY id LIMIT ?
                """, [.integer(share.id)] + bounds, db)[...]
        }
        let found = try tables.flatMap { table in
            try Self.ids(
                "SELECT id FROM \(table) WHERE zone = ? AND id > ? AND id <> ? ORDER BY id LIMIT ?",
                [.integer(share.zone)] + bounds, db)
        }
        return found.sorted().prefix(limit)
    }

    private static func ids(_ sql: String, _ values: [SQLValue], _ db: SQLConnection) throws -> [Int64] {
        var ids: [Int64] = []
        try db.each(sql, values) {
            ids.append($0.integer(0))
            return true
        }
        return ids
    }

    private static func created(_ id: Int64, _ db: SQLConnection) throws -> Timestamp {
        try PageRecord(RecordTable.body(of: id, db)).created
    }
}
