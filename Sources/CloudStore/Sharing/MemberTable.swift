import CloudModel
import CloudSQL

/// Members of shares; joining and leaving change their shared databases.
enum MemberTable {
    /// Updates the members of a share from its list of participants.
    static func update(_ share: ShareRow, in zone: ZoneID, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        var known: Set<String> = []
        try db.each("SELECT \"user\" FROM members WHERE share = ?", [.integer(share.id)]) {
            known.insert($0.text(0))
            return true
        }
        for participant in share.state.participants.dropFirst() where participant.isMember {
            guard let user = participant.identity.userRecordName else { continue }
            if known.remove(user) == nil { try join(user, share, zone, transaction) }
            try db.run(
                "UPDATE members SET may_write = ?, is_administrator = ? WHERE \"user\" = ? AND zone = ? AND share = ?",
                .integer(participant.permission == .readWrite ? 1 : 0), .integer(participant.isManager ? 1 : 0),
                .text(user), .integer(share.zone), .integer(share.id))
        }
        for user in known { try lose(user, share, transaction) }
    }

    /// Removes all members of a share.
    static func clear(_ share: ShareRow, _ transaction: WriteTransaction) throws {
        for participant in share.state.participants.dropFirst() where participant.isMember {
            if let user = participant.identity.userRecordName { try lose(user, share, transaction) }
        }
    }

    /// Removes the members of all shares of a deleted zone.
    static func clear(zone: Int64, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        let id = SQLValue.integer(zone)
        let users = try db.all("SELECT DISTINCT \"user\" FROM members WHERE \(isOfZone)", id) { $0.text(0) }
        guard !users.isEmpty else { return }
        for user in users {
            transaction.didChange(memberships: user)
            try db.run("DELETE FROM losses WHERE \"user\" = ? AND zone = ?", .text(user), id)
            try db.run(
                "UPDATE shared_zones SET position = ?, deleted = 1 WHERE \"user\" = ? AND zone = ?",
                .integer(try transaction.nextPosition()), .text(user), id)
        }
        try db.run("DELETE FROM members WHERE \(isOfZone)", id)
    }

    private static let isOfZone = "share IN (SELECT id FROM shares WHERE zone = ?)"

    /// Adds a member. The user's change feed reports all records of the share at the position of joining.
    private static func join(
        _ user: String, _ share: ShareRow, _ zone: ZoneID, _ transaction: WriteTransaction
    ) throws {
        transaction.didChange(memberships: user)
        let position = try transaction.nextPosition()
        try transaction.db.run(
            """
            INSERT INTO members ("user", zone, share, is_zone_wide, may_write, is_administrator, since)
            VALUES (?, ?, ?, ?, 0, 0, ?)
            """,
            .text(user), .integer(share.zone), .integer(share.id), .integer(share.isZoneWide ? 1 : 0),
            .integer(position))
        try transaction.db.run(
            """
            INSERT INTO shared_zones ("user", owner, name, zone, joined, position, deleted) VALUES (?, ?, ?, ?, ?, ?, 0)
            ON CONFLICT ("user", owner, name) DO UPDATE SET
                joined = CASE WHEN shared_zones.deleted <> 0 OR shared_zones.zone <> excluded.zone
                    THEN excluded.joined ELSE shared_zones.joined END,
                zone = excluded.zone, position = excluded.position, deleted = 0
            """,
            .text(user), .text(zone.owner), .text(zone.name), .integer(share.zone), .integer(position),
            .integer(position))
    }

    /// Removes a member. Reports the share's records as deleted, unless the user loses the whole zone.
    private static func lose(_ user: String, _ share: ShareRow, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        let zone = SQLValue.integer(share.zone)
        transaction.didChange(memberships: user)
        let position = SQLValue.integer(try transaction.nextPosition())
        try db.run(
            "DELETE FROM members WHERE \"user\" = ? AND zone = ? AND share = ?", .text(user), zone, .integer(share.id))
        let seesMore = try db.first("SELECT 1 FROM members WHERE \"user\" = ? AND zone = ?", .text(user), zone) {
            _ in true
        }
        if seesMore == nil {
            try db.run("DELETE FROM losses WHERE \"user\" = ? AND zone = ?", .text(user), zone)
        } else {
            try db.run(
                """
                INSERT INTO losses ("user", zone, position, number, name)
                SELECT ?1, ?2, ?3, row_number() OVER (), name FROM (
                    SELECT name FROM records WHERE share = ?4
                    UNION SELECT name FROM departures d WHERE share = ?4 AND NOT EXISTS (
                        SELECT 1 FROM records r
                        /*!CROSS*/ JOIN members m ON m.user = ?1 AND m.zone = ?2 AND m.share = r.share
                        WHERE r.zone = ?2 AND r.name = d.name AND r.record_type IS NOT NULL)) AS lost
                """,
                .text(user), zone, position, .integer(share.id))
        }
        try db.run(
            "UPDATE shared_zones SET position = ?, deleted = ? WHERE \"user\" = ? AND zone = ?",
            position, .integer(seesMore == nil ? 1 : 0), .text(user), zone)
    }
}
