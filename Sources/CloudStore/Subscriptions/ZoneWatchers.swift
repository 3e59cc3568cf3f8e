import CloudModel
import CloudSQL

/// A zone or database subscription that a change fires.
struct ZoneWatcher {
    let user: String
    let scope: DatabaseScope
    let name: String
    let info: [UInt8]?
    /// Nil for a database subscription.
    let zone: ZoneID?
}

enum ZoneWatchers {
    /// The zone owner's subscriptions to the zone and to the private database.
    static func own(_ zone: Int64, _ db: SQLConnection) throws -> [ZoneWatcher] {
        var watchers: [ZoneWatcher] = []
        try db.each(
            """
            SELECT s.user, s.name, s.info, s.kind, z.name, z.owner
            FROM zones z /*!CROSS*/ JOIN subscriptions s /*!INDEXED BY subscriptions_changes*/
                ON s.user = z.owner AND s.scope = 1 AND s.zone IN (0, z.id) AND s.kind > 1 AND s.is_paused = 0
            WHERE z.id = ?
            """,
            [.integer(zone)]
        ) {
            let isZone = $0.integer(3) == SubscriptionKind.zone.rawValue
            watchers.append(
                ZoneWatcher(
                    user: $0.text(0), scope: .private, name: $0.text(1), info: $0.isNull(2) ? nil : $0.blob(2),
                    zone: isZone ? ZoneID(name: $0.text(4), owner: $0.text(5)) : nil))
            return true
        }
        return watchers
    }

    /// Shared-database subscriptions of each user who sees the changes.
    static func shared(_ pending: PendingChanges, _ db: SQLConnection) throws -> [ZoneWatcher] {
        var users = pending.members
        for share in pending.shares {
            users.formUnion(try members("SELECT \"user\" FROM members WHERE share = ?", share, db))
        }
        for zone in pending.zones.keys {
            users.formUnion(
                try members(
                    """
                    SELECT m.user FROM shares h /*!CROSS*/ JOIN members m ON m.share = h.id
                    WHERE h.zone = ? AND h.root IS NULL
                    """, zone, db))
        }
        return try users.sorted().flatMap { try shared(with: $0, db) }
    }

    private static func members(_ sql: String, _ value: Int64, _ db: SQLConnection) throws -> [String] {
        var users: [String] = []
        try db.each(sql, [.integer(value)]) {
            users.append($0.text(0))
            return true
        }
        return users
    }

    private static func shared(with user: String, _ db: SQLConnection) throws -> [ZoneWatcher] {
        var watchers: [ZoneWatcher] = []
        try db.each(
            """
            SELECT name, info FROM subscriptions /*!INDEXED BY subscriptions_changes*/
            WHERE "user" = ? AND scope = 3 AND zone = 0 AND kind > 1 AND is_paused = 0
            """,
            [.text(user)]
        ) {
            watchers.append(
                ZoneWatcher(
                    user: user, scope: .shared, name: $0.text(0), info: $0.isNull(1) ? nil : $0.blob(1), zone: nil))
            return true
        }
        return watchers
    }
}
