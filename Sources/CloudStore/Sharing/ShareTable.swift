package import CloudModel
package import CloudSQL

/// A stored share, with row ids of its records.
package struct ShareRow {
    package let id: Int64
    package let zone: Int64
    /// Row ids of the share record and of the root; a zone-wide share has no root.
    let record: Int64
    let root: Int64?
    let shortGUID: String
    package var state: ShareState

    package var isZoneWide: Bool { root == nil }
}

package enum ShareTable {
    /// - Parameter handle: a short GUID or a one-time link's token.
    /// - Returns: the share, and the token of a one-time link.
    static func find(handle: String, _ db: SQLConnection) throws -> (share: ShareRow, link: String?)? {
        if handle.hasNullCharacter { return nil }
        if let share = try find("short_guid = ?", .text(handle), db) { return (share, nil) }
        let linked = try db.first("SELECT share FROM share_links WHERE token = ?", .text(handle)) { $0.integer(0) }
        guard let linked, let share = try find("id = ?", .integer(linked), db) else { return nil }
        return (share, handle)
    }

    /// Returns true if the share of this short GUID or one-time link was stopped.
    static func isStopped(_ handle: String, _ db: SQLConnection) throws -> Bool {
        if handle.hasNullCharacter { return false }
        return try db.exists("SELECT 1 FROM stopped_shares WHERE handle = ?", .text(handle))
    }

    static func find(record: Int64, _ db: SQLConnection) throws -> ShareRow? {
        try find("record = ?", .integer(record), db)
    }

    static func find(root: Int64, _ db: SQLConnection) throws -> ShareRow? { try find("root = ?", .integer(root), db) }

    static func find(zone: Int64, _ db: SQLConnection) throws -> [ShareRow] {
        var ids: [Int64] = []
        try db.each("SELECT id FROM shares WHERE zone = ?", [.integer(zone)]) {
            ids.append($0.integer(0))
            return true
        }
        return try ids.compactMap { try find("id = ?", .integer($0), db) }
    }

    static func find(id: Int64, _ db: SQLConnection) throws -> ShareRow? { try find("id = ?", .integer(id), db) }

    private static func find(_ condition: String, _ value: SQLValue, _ db: SQLConnection) throws -> ShareRow? {
        try db.first("SELECT id, zone, record, root, short_guid, state FROM shares WHERE \(condition)", value) { row in
            guard let state = ShareState(stored: row.blob(5)) else {
                throw SQLError(.damaged, "share \(row.integer(0)) is damaged")
            }
            return ShareRow(
                id: row.integer(0), zone: row.integer(1), record: row.integer(2),
                root: row.isNull(3) ? nil : row.integer(3), shortGUID: row.text(4), state: state)
        }
    }

    /// Returns true if the record is the root of a share.
    static func isRoot(_ record: Int64, _ db: SQLConnection) throws -> Bool {
        try db.first("SELECT 1 FROM shares WHERE root = ?", .integer(record)) { _ in true } ?? false
    }

    /// The given records that are roots of shares.
    static func roots(among records: some Sequence<Int64>, _ db: SQLConnection) throws -> Set<Int64> {
        Set(
            try db.all(
                "SELECT root FROM shares WHERE root IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
                .list(records)
            ) { $0.integer(0) })
    }

    /// - Parameter id: the row id of the share; nil for a new id.
    package static func insert(
        id: Int64? = nil, zone: Int64, record: Int64, root: Int64?, shortGUID: String, position: Int64,
        state: ShareState, _ db: SQLConnection
    ) throws -> ShareRow {
        let rowID = try db.insert(
            """
            INSERT INTO shares (\(id == nil ? "" : "id, ")zone, record, root, short_guid, position, state)
            VALUES (\(id == nil ? "" : "?7, ")?1, ?2, ?3, ?4, ?5, ?6) RETURNING id
            """,
            [
                .integer(zone), .integer(record), .integer(optional: root), .text(shortGUID), .integer(position),
                .blob(state.stored),
            ] + (id.map { [.integer($0)] } ?? []))
        let row = ShareRow(
            id: rowID, zone: zone, record: record, root: root, shortGUID: shortGUID, state: state)
        try writeLinks(row, db)
        return row
    }

    static func update(_ row: ShareRow, _ db: SQLConnection) throws {
        try db.run("UPDATE shares SET state = ? WHERE id = ?", .blob(row.state.stored), .integer(row.id))
        try db.run("DELETE FROM share_links WHERE share = ?", .integer(row.id))
        try writeLinks(row, db)
    }

    private static func writeLinks(_ row: ShareRow, _ db: SQLConnection) throws {
        for link in row.state.participants.compactMap(\.link) {
            try db.run("INSERT INTO share_links (token, share) VALUES (?, ?)", .text(link), .integer(row.id))
        }
    }

    /// Deletes the shares of a zone that is deleted with its records. The records keep their `share` marks.
    static func delete(zone: Int64, _ db: SQLConnection) throws {
        guard try db.exists("SELECT 1 FROM shares WHERE zone = ?", .integer(zone)) else { return }
        let shares = "SELECT id FROM shares WHERE zone = ?1"
        try db.run(
            """
            INSERT INTO stopped_shares (handle)
            SELECT short_guid FROM shares WHERE zone = ?1 UNION SELECT token FROM share_links WHERE share IN (\(shares))
            ON CONFLICT DO NOTHING
            """, .integer(zone))
        for table in ["share_links", "members", "departures"] {
            try db.run("DELETE FROM \(table) WHERE share IN (\(shares))", .integer(zone))
        }
        try db.run("DELETE FROM shares WHERE zone = ?", .integer(zone))
    }

    /// Deletes a share with its members, links and visibility marks. Its handles are kept as stopped.
    static func delete(_ id: Int64, _ db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO stopped_shares (handle)
            SELECT short_guid FROM shares WHERE id = ?1 UNION SELECT token FROM share_links WHERE share = ?1
            ON CONFLICT DO NOTHING
            """, .integer(id))
        for table in ["share_links", "members", "departures"] {
            try db.run("DELETE FROM \(table) WHERE share = ?", .integer(id))
        }
        try db.run("UPDATE records SET share = NULL, share_position = NULL WHERE share = ?", .integer(id))
        try db.run("DELETE FROM shares WHERE id = ?", .integer(id))
    }
}
