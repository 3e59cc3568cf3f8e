package import CloudModel
import CloudSQL

/// A share in its owner's list of links.
package struct OwnShare: Hashable, Sendable {
    package let shortGUID: String
    /// User record name.
    package let owner: String
    /// The share record.
    package let record: PageRecord
    /// The share's position in the list, for fetching the next page.
    package let position: Int64
}

/// Shares and single records for share pages.
enum OwnShares {
    private static let select = """
        SELECT s.short_guid, z.owner, r.body, s.id FROM shares s /*!CROSS*/ JOIN zones z ON z.id = s.zone
        /*!CROSS*/ JOIN records r ON r.id = s.record
        """

    /// The share of a short GUID or a one-time link's token, without an access check.
    static func find(_ handle: String, _ db: SQLConnection) throws -> OwnShare? {
        guard let (row, _) = try ShareTable.find(handle: handle, db) else { return nil }
        return try db.first(select + " WHERE s.id = ?", .integer(row.id), read: share)
    }

    /// Shares of an owner, oldest first.
    static func list(owner: String, after position: Int64, limit: Int, _ db: SQLConnection) throws -> [OwnShare] {
        var shares: [OwnShare] = []
        try db.each(
            """
            SELECT s.short_guid, z.owner, r.body, s.id FROM zones z
            /*!CROSS*/ JOIN shares s /*!INDEXED BY shares_zone*/ ON s.zone = z.id
            /*!CROSS*/ JOIN records r ON r.id = s.record WHERE z.owner = ? AND s.id > ? ORDER BY s.id LIMIT ?
            """,
            [.text(owner), .integer(position), .integer(Int64(limit))]
        ) {
            shares.append(try share($0))
            return true
        }
        return shares
    }

    /// A record visible through a share, for a viewer who may see the share.
    static func record(
        _ name: String, in handle: String, as viewer: Person?, _ db: SQLConnection
    ) throws -> RecordBody? {
        let (row, _) = try ShareRow.visible(handle, to: viewer, db)
        return try db.first(
            """
            SELECT body FROM records
            WHERE zone = ? AND name = ? AND record_type IS NOT NULL AND id <> ? AND (? = 1 OR share = ?)
            """,
            .integer(row.zone), .text(name), .integer(row.record), .integer(row.isZoneWide ? 1 : 0), .integer(row.id)
        ) { $0.record(0) }
    }

    /// The shares with these rows, and those that show these records.
    static func list(_ shares: [Int64], showing records: [Int64], _ db: SQLConnection) throws -> [OwnShare] {
        var found = Set(shares)
        try db.each(
            """
            SELECT s.id FROM json_each(?1) j /*!CROSS*/ JOIN records r ON r.id = CAST(j.value AS BIGINT)
            /*!CROSS*/ JOIN shares s ON s.id = r.share
            UNION
            SELECT s.id FROM json_each(?1) j /*!CROSS*/ JOIN records r ON r.id = CAST(j.value AS BIGINT)
            /*!CROSS*/ JOIN shares s /*!INDEXED BY shares_zone*/ ON s.zone = r.zone WHERE s.root IS NULL
            """, [.list(records)]
        ) {
            found.insert($0.integer(0))
            return true
        }
        return try found.sorted().compactMap { try db.first(select + " WHERE s.id = ?", .integer($0), read: share) }
    }

    private static func share(_ row: SQLRow) throws -> OwnShare {
        OwnShare(
            shortGUID: row.text(0), owner: row.text(1), record: try PageRecord(row.record(2)), position: row.integer(3))
    }
}
