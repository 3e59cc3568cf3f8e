package import CloudModel
package import CloudSQL

/// A live zone as stored.
package struct ZoneRow: Hashable, Sendable {
    package let id: Int64
    /// The position of the zone's last change or creation.
    let position: Int64
}

package enum ZoneTable {
    static func find(_ zone: ZoneID, _ db: SQLConnection) throws -> ZoneRow? {
        let rows = db.stable(StableRows.init)
        if let known = rows?.zone(zone) { return known }
        guard zone.isStorable else { return nil }
        let row = try db.firstInSnapshot(
            "SELECT id, position FROM zones WHERE owner = ? AND name = ? AND deleted = 0",
            .text(zone.owner), .text(zone.name)
        ) { ZoneRow(id: $0.integer(0), position: $0.integer(1)) }
        if let row { rows?.store(row, of: zone) }
        return row
    }

    static func find(id: Int64, _ db: SQLConnection) throws -> ZoneID? {
        try db.first("SELECT owner, name FROM zones WHERE id = ?", .integer(id)) {
            ZoneID(name: $0.text(1), owner: $0.text(0))
        }
    }

    package static func insert(_ zone: ZoneID, position: Int64, _ db: SQLConnection) throws -> ZoneRow {
        // A new zone replaces the tombstone of an earlier zone with its name.
        try db.run(
            "DELETE FROM zones WHERE owner = ? AND name = ? AND deleted = 1", .text(zone.owner), .text(zone.name))
        let id = try db.insert(
            "INSERT INTO zones (owner, name, position) VALUES (?, ?, ?) RETURNING id",
            .text(zone.owner), .text(zone.name), .integer(position))
        return ZoneRow(id: id, position: position)
    }
}
