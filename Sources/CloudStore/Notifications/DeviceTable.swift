import GRDB

/// Who is told of changes.
enum DeviceTable {
    /// Registers a token, or renews it. What waits for it stays, unless it has become another user's.
    static func save(_ device: Device, _ db: Database) throws {
        try db.run("DELETE FROM devices WHERE token = ? AND user <> ?", .integer(device.token), .text(device.user))
        try db.run(
            """
            INSERT INTO devices (token, user, client_id, expires) VALUES (?, ?, ?, ?)
            ON CONFLICT (token) DO UPDATE SET client_id = excluded.client_id, expires = excluded.expires
            """,
            .integer(device.token), .text(device.user), .text(optional: device.clientID), .integer(device.expires))
    }

    /// Gives what a token has to another of the same user, unless that has something of its own already.
    static func hand(from token: Int64, to device: Device, _ db: Database) throws {
        try db.run(
            "UPDATE OR IGNORE devices SET token = ? WHERE token = ? AND user = ?",
            .integer(device.token), .integer(token), .text(device.user))
        try delete(token: token, db)
    }

    static func renew(token: Int64, expires: Int64, _ db: Database) throws {
        try db.run("UPDATE devices SET expires = ? WHERE token = ?", .integer(expires), .integer(token))
    }

    static func delete(token: Int64, _ db: Database) throws {
        try db.run("DELETE FROM devices WHERE token = ?", .integer(token))
    }

    /// - Returns: how many were forgotten.
    static func deleteExpired(at now: Int64, _ db: Database) throws -> Int {
        try db.run("DELETE FROM devices WHERE expires <= ?", .integer(now))
        return db.changesCount
    }

    /// A device that gets a message, as its queue stands.
    struct Listener: Hashable {
        let id: Int64
        let token: Int64
        let badge: Int64
        let queued: Int64
    }

    /// The devices to tell what concerns a user; not those of the client that does it.
    static func listeners(_ user: String, on occasion: Occasion, _ db: Database) throws -> [Listener] {
        var listeners: [Listener] = []
        let client = user == occasion.user ? occasion.clientID : nil
        try db.each(
            """
            SELECT id, token, badge, queued FROM devices
            WHERE user IN (?1, ?2) AND expires > ?3 AND (user <> ?1 OR ?4 IS NULL OR client_id IS NOT ?4)
            """,
            [
                .text(user), .text(Device.everybody), .integer(occasion.now), .text(optional: client),
            ]
        ) {
            listeners.append(
                Listener(id: $0.integer(0), token: $0.integer(1), badge: $0.integer(2), queued: $0.integer(3)))
            return true
        }
        return listeners
    }
}
