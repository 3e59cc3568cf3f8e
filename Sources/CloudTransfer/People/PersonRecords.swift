import CloudModel
import CloudSQL

/// A person's records, zone by zone, by record name within a zone.
struct PersonRecords {
    let user: String
    /// True for records in the person's private database, false for records the person created in other databases.
    let isOwn: Bool

    /// The number of names searched at once for records of the person, because no index finds records by creator.
    private static let window = 5000

    private struct Zone {
        let id: Int64
        let isPublic: Bool
    }

    /// Adds records of one zone. A position without a name is after the whole zone.
    func add(to lines: inout PersonLines, from place: PersonPlace, _ db: SQLConnection) throws {
        guard let zone = try zone(from: place, db) else { return }
        guard let end = try windowEnd(zone, after: place.name, db) else {
            lines.next = PersonPlace(id: zone.id)
            return
        }
        var last = end
        try db.each(
            """
            SELECT r.name, r.share, r.share_position, r.body FROM records r WHERE \(condition(zone)) ORDER BY r.name
            LIMIT ?
            """, values(zone, place.name, end) + [.integer(Int64(PersonLines.mostRows))]
        ) { row in
            lines.append(try ExportLines.record(row))
            if lines.isFull { last = row.text(0) }
            return !lines.isFull
        }
        lines.next = PersonPlace(id: zone.id, name: last)
        lines.assets = try assets(zone, place.name, last, db)
    }

    /// The zone of a position, or the next zone.
    private func zone(from place: PersonPlace, _ db: SQLConnection) throws -> Zone? {
        let isWanted =
            isOwn
            ? "owner = ?"
            : "(owner = '\(ZoneID.publicOwner)' OR id IN (SELECT zone FROM members WHERE \"user\" = ?))"
        return try db.first(
            """
            SELECT id, owner FROM zones WHERE \(isWanted) AND deleted = 0 AND id \(place.name.isEmpty ? ">" : ">=") ?
            ORDER BY id LIMIT 1
            """, .text(user), .integer(place.id)
        ) { Zone(id: $0.integer(0), isPublic: $0.text(1) == ZoneID.publicOwner) }
    }

    /// The last name of the next window of a zone; nil after the last record.
    private func windowEnd(_ zone: Zone, after name: String, _ db: SQLConnection) throws -> String? {
        try db.first(
            """
            SELECT MAX(name) FROM (
                SELECT name FROM records WHERE zone = ? AND name > ? ORDER BY name LIMIT \(Self.window)) AS part
            """, .integer(zone.id), .text(name)
        ) { $0.optionalText(0) } ?? nil
    }

    private func condition(_ zone: Zone) -> String {
        let range = "r.zone = ? AND r.name > ? AND r.name <= ? AND r.record_type IS NOT NULL"
        if isOwn { return range }
        if zone.isPublic { return "\(range) AND r.creator = ?" }
        return """
            \(range) AND r.creator = ? AND EXISTS (
                SELECT 1 FROM members m WHERE m.user = r.creator AND m.zone = r.zone
                    AND (m.is_zone_wide = 1 OR m.share = r.share))
            """
    }

    private func values(_ zone: Zone, _ after: String, _ end: String) -> [SQLValue] {
        [.integer(zone.id), .text(after), .text(end)] + (isOwn ? [] : [.text(user)])
    }

    private func assets(_ zone: Zone, _ after: String, _ end: String, _ db: SQLConnection) throws -> [AssetKey] {
        var keys: [AssetKey] = []
        try db.each(
            """
            SELECT key FROM assets WHERE id IN (
                SELECT ra.asset FROM records r JOIN record_assets ra ON ra.record = r.id WHERE \(condition(zone)))
            ORDER BY key
            """, values(zone, after, end)
        ) { row in
            if let key = AssetKey(row.text(0)) { keys.append(key) }
            return true
        }
        return keys
    }
}
