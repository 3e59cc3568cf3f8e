package import CloudModel
import CloudSQL

/// A page of records visible through a share.
package struct ShareRecordsPage: Sendable {
    /// Records in stored form.
    package let records: [RecordBody]
    /// The position of the next page; nil on the last page.
    package let next: Int64?
}

/// A selection of a share's records, without the share record.
package enum ShareChoice: Hashable, Sendable {
    case all
    /// Records with files.
    case withFiles
    /// Records with these names.
    case named([String])
}

/// Records visible through a share, without the share record, in order of creation: the order of row ids, which changes to a
/// record keep.
struct ShareContents {
    /// The size in bytes at which a page ends early: a hundred records may have a hundred megabytes.
    private static let bytesPerPage = 4 << 20

    private let share: ShareRow
    private let choice: ShareChoice
    /// The record types to search.
    private let types: [RecordType]

    /// - Throws: the errors of ``ShareStore/share(_:as:)``.
    init(
        _ handle: String, as viewer: Person?, _ choice: ShareChoice, _ catalog: Catalog, _ db: SQLConnection
    ) throws {
        share = try ShareRow.visible(handle, to: viewer, db).row
        self.choice = choice
        let types = try CatalogReader.current(catalog, db).types.values
        self.types = types.filter { choice != .withFiles || $0.mayHoldFiles }
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

    private func ids(after id: Int64, limit: Int, _ db: SQLConnection) throws -> ArraySlice<Int64> {
        if case .named(let names) = choice { return try ids(of: names, after: id, limit: limit, db) }
        guard !types.isEmpty else { return [] }
        let bounds = [SQLValue.integer(id), .integer(share.record), .integer(Int64(limit))]
        guard share.isZoneWide else {
            return try Self.ids(
                """
                SELECT id FROM records /*!INDEXED BY records_made*/
                WHERE share = ? AND record_type IS NOT NULL AND id > ? AND id <> ?\(ofTypesWithFiles)
                    \(holdingFiles("records"))
                ORDER BY id LIMIT ?
                """, [.integer(share.id)] + bounds, db)[...]
        }
        // Zones have no index of records by id, but each type's table of values has the zone's records in that order.
        let found = try types.map { SchemaTables.table($0) }.flatMap { table in
            try Self.ids(
                """
                SELECT id FROM \(table) WHERE zone = ? AND id > ? AND id <> ?\(holdingFiles(table))
                ORDER BY id LIMIT ?
                """, [.integer(share.zone)] + bounds, db)
        }
        return found.sorted().prefix(limit)
    }

    /// Limits the search to types with asset fields.
    private var ofTypesWithFiles: String {
        guard choice == .withFiles else { return "" }
        return " AND record_type IN (\(types.map { String($0.id) }.sorted().joined(separator: ", ")))"
    }

    /// A condition that begins with AND; empty if records without files are included.
    private func holdingFiles(_ table: String) -> String {
        choice == .withFiles ? " AND EXISTS (SELECT 1 FROM record_assets a WHERE a.record = \(table).id)" : ""
    }

    /// Finds each record by name, independent of the number of other records.
    private func ids(
        of names: [String], after id: Int64, limit: Int, _ db: SQLConnection
    ) throws -> ArraySlice<Int64> {
        try Self.ids(
            """
            SELECT DISTINCT r.id FROM json_each(?) j /*!CROSS*/ JOIN records r ON r.zone = ? AND r.name = j.value
            WHERE r.record_type IS NOT NULL AND r.id > ? AND r.id <> ? AND (? = 1 OR r.share = ?) ORDER BY r.id LIMIT ?
            """,
            [
                .names(names), .integer(share.zone), .integer(id),
                .integer(share.record), .integer(share.isZoneWide ? 1 : 0), .integer(share.id), .integer(Int64(limit)),
            ], db)[...]
    }

    private static func ids(_ sql: String, _ values: [SQLValue], _ db: SQLConnection) throws -> [Int64] {
        var ids: [Int64] = []
        try db.each(sql, values) {
            ids.append($0.integer(0))
            return true
        }
        return ids
    }
}

extension RecordType {
    /// True if the type has an asset field.
    fileprivate var mayHoldFiles: Bool { fields.values.contains { $0.type.kind == .asset } }
}
