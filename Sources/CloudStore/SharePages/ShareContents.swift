package import CloudModel
import CloudSQL

/// Records that are visible through a share.
package struct ShareRecordsPage: Sendable {
    /// Stored forms.
    package let records: [RecordBody]
    /// The place where the next page begins; nil when this is the last.
    package let next: Int64?
}

/// The records of a share that are asked for, the share record left out.
package enum ShareChoice: Hashable, Sendable {
    case all
    /// Those that hold files.
    case withFiles
    /// Those of these names.
    case named([String])
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
    private let choice: ShareChoice
    /// The types whose records may be among them.
    private let types: [RecordType]

    /// - Throws: as ``ShareStore/share(_:as:)`` does.
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

    func summary(limit: Int, _ db: SQLConnection) throws -> ShareSummary {
        var summary = ShareSummary()
        let found = try ids(after: 0, limit: limit + 1, db)
        let ids = found.prefix(limit)
        try db.each(
            """
            SELECT a.content_type, count(*) FROM json_each(?) j
            CROSS JOIN record_assets r ON r.record = CAST(j.value AS BIGINT) CROSS JOIN assets a ON a.id = r.asset
            GROUP BY a.content_type
            """, [.list(ids)]
        ) {
            summary.files[$0.text(0)] = Int($0.integer(1))
            return true
        }
        let others = ids.filter { $0 != share.root }
        summary.records =
            try db.first(
                """
                SELECT count(*) FROM json_each(?) j
                WHERE NOT EXISTS (SELECT 1 FROM record_assets WHERE record = CAST(j.value AS BIGINT))
                """, .list(others)
            ) { Int($0.integer(0)) } ?? 0
        summary.isCutShort = found.count > limit
        summary.first = try (others.first ?? share.root).map { try Self.created($0, db) }
        summary.last = try (others.last ?? share.root).map { try Self.created($0, db) }
        return summary
    }

    private func ids(after id: Int64, limit: Int, _ db: SQLConnection) throws -> ArraySlice<Int64> {
        if case .named(let names) = choice { return try ids(of: names, after: id, limit: limit, db) }
        guard !types.isEmpty else { return [] }
        let bounds = [SQLValue.integer(id), .integer(share.record), .integer(Int64(limit))]
        guard share.isZoneWide else {
            return try Self.ids(
                """
                SELECT id FROM records INDEXED BY records_made
                WHERE share = ? AND record_type IS NOT NULL AND id > ? AND id <> ?\(ofTypesWithFiles)
                    \(holdingFiles("records"))
                ORDER BY id LIMIT ?
                """, [.integer(share.id)] + bounds, db)[...]
        }
        // A zone has no index of its records by id, but the values of each of its types are in that order.
        let found = try types.map { SchemaTables.table($0) }.flatMap { table in
            try Self.ids(
                """
                SELECT id FROM \(table) WHERE zone = ? AND id > ? AND id <> ?\(holdingFiles(table))
                ORDER BY id LIMIT ?
                """, [.integer(share.zone)] + bounds, db)
        }
        return found.sorted().prefix(limit)
    }

    /// Spares records of other types the search for files of theirs.
    private var ofTypesWithFiles: String {
        guard choice == .withFiles else { return "" }
        return " AND record_type IN (\(types.map { String($0.id) }.sorted().joined(separator: ", ")))"
    }

    /// A condition, with what joins it to others; empty where records without files are asked for too.
    private func holdingFiles(_ table: String) -> String {
        choice == .withFiles ? " AND EXISTS (SELECT 1 FROM record_assets a WHERE a.record = \(table).id)" : ""
    }

    /// Each record is found by its name, however many others there are.
    private func ids(
        of names: [String], after id: Int64, limit: Int, _ db: SQLConnection
    ) throws -> ArraySlice<Int64> {
        try Self.ids(
            """
            SELECT DISTINCT r.id FROM json_each(?) j CROSS JOIN records r ON r.zone = ? AND r.name = j.value
            WHERE r.record_type IS NOT NULL AND r.id > ? AND r.id <> ? AND (? OR r.share = ?) ORDER BY r.id LIMIT ?
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

    private static func created(_ id: Int64, _ db: SQLConnection) throws -> Timestamp {
        try PageRecord(RecordTable.body(of: id, db)).created
    }
}

extension RecordType {
    /// True if a field of the type is for files.
    fileprivate var mayHoldFiles: Bool { fields.values.contains { $0.type.kind == .asset } }
}
