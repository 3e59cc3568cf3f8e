import CloudModel
import CloudSQL
import CloudStore

/// Lists of a person's data other than records.
extension PersonLines {
    mutating func addZones(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            """
            SELECT id, owner, name, position, short_guid FROM zones WHERE owner = ? AND deleted = 0 AND id > ?
            ORDER BY id LIMIT ?
            """, [.text(user), .integer(place.id)], db, place: { PersonPlace(id: $0.integer(0)) }
        ) {
            $1.zone(name: $0.text(2), owner: $0.text(1))
            $1.member("position", $0.integer(3))
            $1.member("shortGUID", $0.optionalText(4))
        }
    }

    mutating func addShares(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            "\(ExportLines.shareRows) WHERE z.owner = ? AND s.id > ? ORDER BY s.id LIMIT ?",
            [.text(user), .integer(place.id)], db, place: { PersonPlace(id: $0.integer(0)) }
        ) { try ExportLines.share($0, db, &$1) }
    }

    /// Leaves out other members' data.
    mutating func addMemberships(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            """
            SELECT m.share, z.name, z.owner, s.short_guid, m.is_zone_wide, m.may_write, m.is_administrator, m.since
            FROM members m JOIN shares s ON s.id = m.share JOIN zones z ON z.id = m.zone
            WHERE m.user = ? AND m.share > ? ORDER BY m.share LIMIT ?
            """, [.text(user), .integer(place.id)], db, place: { PersonPlace(id: $0.integer(0)) }
        ) {
            $1.member("share", $0.integer(0))
            $1.zone(name: $0.text(1), owner: $0.text(2))
            $1.member("shortGUID", $0.text(3))
            $1.member("isZoneWide", $0.integer(4) != 0)
            $1.member("mayWrite", $0.integer(5) != 0)
            $1.member("isAdministrator", $0.integer(6) != 0)
            $1.member("since", $0.integer(7))
        }
    }

    /// Leaves out password hashes.
    mutating func addLinks(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            """
            SELECT id, expires, delete_after_expiry, taken_down, password IS NOT NULL, downloads, places, language,
            layout FROM page_settings WHERE owner = ? AND id > ? ORDER BY id LIMIT ?
            """, [.text(user), .text(place.name)], db, place: { PersonPlace(id: 0, name: $0.text(0)) }
        ) { row, line in
            line.member("id", row.text(0))
            if !row.isNull(1) { line.member("expires", row.integer(1)) }
            line.member("deletesAfterExpiry", row.integer(2) != 0)
            line.member("isTakenDown", row.integer(3) != 0)
            line.member("hasPassword", row.bool(4))
            line.member("downloads", row.isNull(5) ? nil : row.text(5))
            if row.bool(6) { line.member("places", true) }
            line.member("language", row.isNull(7) ? nil : row.text(7))
            line.member("layout", row.isNull(8) ? nil : row.text(8))
            guard let items = try PageSettingsTable.find(row.text(0), owner: user, db)?.items else { return }
            line.key("items")
            line.array { for item in items { $0.string(item) } }
        }
    }

    mutating func addSubscriptions(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            "SELECT id, scope, body FROM subscriptions WHERE \"user\" = ? AND id > ? ORDER BY id LIMIT ?",
            [.text(user), .integer(place.id)], db, place: { PersonPlace(id: $0.integer(0)) }
        ) {
            $1.member("database", ExportLines.scope($0.integer(1))?.rawValue)
            $1.key("subscription")
            $1.verbatim($0.blob(2))
        }
    }

    mutating func addKeyValues(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        try add(
            """
            SELECT v.key, v.position, v.client, v.body FROM key_value_stores s JOIN key_values v ON v.store = s.id
            WHERE s.user = ? AND v.key > ? AND v.body IS NOT NULL ORDER BY v.key LIMIT ?
            """, [.text(user), .text(place.name)], db, place: { PersonPlace(id: 0, name: $0.text(0)) }
        ) {
            $1.member("key", $0.text(0))
            $1.member("position", $0.integer(1))
            $1.member("clientId", $0.optionalText(2))
            $1.key("value")
            $1.verbatim($0.blob(3))
        }
    }

    /// Leaves out push tokens, which give access to the queues.
    mutating func addDevices(of user: String, from place: PersonPlace, _ db: SQLConnection) throws {
        let crowd = try CrowdMessages.waiting(db)
        try add(
            "SELECT id, client_id, badge, queued, expires FROM devices WHERE \"user\" = ? AND id > ? ORDER BY id LIMIT ?",
            [.text(user), .integer(place.id)], db, place: { PersonPlace(id: $0.integer(0)) }
        ) {
            $1.member("clientId", $0.optionalText(1))
            $1.member("badge", $0.integer(2))
            $1.member("queued", $0.integer(3) + (crowd[$0.integer(0)] == nil ? 0 : 1))
            $1.member("expires", $0.integer(4))
        }
    }
}
