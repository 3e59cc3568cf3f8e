import CloudModel
import CloudSQL

/// The devices that are told of changes.
enum DeviceTable {
    /// Registers a token, or renews it. What waits for it stays, unless it has become another user's.
    static func save(_ device: Device, _ db: SQLConnection) throws {
        try db.run("DELETE FROM devices WHERE token = ? AND user <> ?", .integer(device.token), .text(device.user))
        try db.run(
            """
            INSERT INTO devices (token, user, client_id, expires) VALUES (?, ?, ?, ?)
            ON CONFLICT (token) DO UPDATE SET client_id = excluded.client_id, expires = excluded.expires
            """,
            .integer(device.token), .text(device.user), .text(optional: device.clientID), .timestamp(device.expires))
    }

    /// Gives what a token has to another of the same user, unless that has something of its own already.
    static func hand(from token: Int64, to device: Device, _ db: SQLConnection) throws {
        try db.run(
            """
            UPDATE devices SET token = ?1 WHERE token = ?2 AND user = ?3
                AND NOT EXISTS (SELECT 1 FROM devices WHERE token = ?1)
            """,
            .integer(device.token), .integer(token), .text(device.user))
        try delete(token: token, db)
    }

    static func delete(token: Int64, _ db: SQLConnection) throws {
        try db.run("DELETE FROM devices WHERE token = ?", .integer(token))
    }

    /// The devices of push tokens.
    static func registered(_ db: SQLConnection) throws -> [Device] {
        try db.all("SELECT token, user, client_id, expires FROM devices WHERE token > 0") {
            Device(
                token: $0.integer(0), user: $0.text(1), clientID: $0.optionalText(2), expires: $0.timestamp(3))
        }
    }

    static func firstExpiry(_ db: SQLConnection) throws -> Timestamp? {
        try db.first("SELECT expires FROM devices ORDER BY expires LIMIT 1") { $0.timestamp(0) }
    }

    /// - Returns: how many were forgotten.
    static func deleteExpired(at now: Timestamp, _ db: SQLConnection) throws -> Int {
        try db.run("DELETE FROM devices WHERE expires <= ?", .timestamp(now))
    }

    /// A device that gets a message, as its queue stands.
    struct Listener: Hashable {
        let id: Int64
        let token: Int64
        /// The user whose messages it gets, or ``Device/everybody``.
        let user: String
        /// The name the client gives itself.
        let clientID: String?
        var badge: Int64
        var queued: Int64
        /// True if the next message must say that others were dropped.
        var isPruned: Bool
        /// Those of push tokens are positive.
        var isWebhook: Bool { token < 0 }

        var recipient: LoggedNotification.Recipient { isWebhook ? .webhook(-token) : .device(clientID: clientID) }

        /// Returns true if nothing has changed but that one more message waits.
        func hasOneMore(than before: Listener) -> Bool {
            queued == before.queued + 1 && badge == before.badge && isPruned == before.isPruned
        }

        fileprivate static let columns = "user, id, token, client_id, badge, queued, is_pruned"

        /// - Parameter row: of ``columns``.
        fileprivate init(_ row: SQLRow) {
            user = row.text(0)
            id = row.integer(1)
            token = row.integer(2)
            clientID = row.optionalText(3)
            badge = row.integer(4)
            queued = row.integer(5)
            isPruned = row.integer(6) != 0
        }
    }

    /// The device of a push token; nil for one that is told nothing any more.
    static func listener(id: Int64, now: Timestamp, _ db: SQLConnection) throws -> Listener? {
        try db.first(
            "SELECT \(Listener.columns) FROM devices WHERE id = ? AND token > 0 AND expires > ?", .integer(id),
            .timestamp(now)
        ) { Listener($0) }
    }

    /// The users of devices that are there.
    static func users(of devices: [Int64], _ db: SQLConnection) throws -> [Int64: String] {
        var users: [Int64: String] = [:]
        try db.each(
            "SELECT id, user FROM devices WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            [.list(devices)]
        ) {
            users[$0.integer(0)] = $0.text(1)
            return true
        }
        return users
    }

    /// The devices to tell what concerns these users; not those of the client that does it.
    static func listeners(
        _ users: [String], in context: WriteContext, _ db: SQLConnection
    ) throws -> [Listener] {
        var listeners: [Listener] = []
        try db.each(
            """
            SELECT \(Listener.columns) FROM devices
            WHERE user IN (SELECT value FROM json_each(?)) AND expires > ?
                AND (user IS NOT ?3 OR CAST(?4 AS TEXT) IS NULL OR client_id IS NOT ?4)
            """,
            [
                .names(users), .timestamp(context.now), .text(optional: context.user),
                .text(optional: context.clientID),
            ]
        ) {
            listeners.append(Listener($0))
            return true
        }
        return listeners
    }

    static func update(_ listener: Listener, _ db: SQLConnection) throws {
        try db.later(
            standing,
            [.integer(listener.queued), .integer(listener.badge), .bool(listener.isPruned), .integer(listener.id)])
    }

    private static let standing = DeferredStatement(
        "UPDATE devices SET queued = ?, badge = ?, is_pruned = ? WHERE id = ?", rank: WriteRank.beside)

    /// Adds a message to the length of each one's queue.
    static func lengthen(_ devices: [Int64], _ db: SQLConnection) throws {
        try db.later(longer, [.list(devices)])
    }

    private static let longer = DeferredStatement(
        "UPDATE devices SET queued = queued + 1 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
        rank: WriteRank.beside)

    /// Takes messages off the lengths of queues.
    ///
    /// - Parameter counts: how many, by device.
    static func shorten(_ counts: [Int64: Int64], _ db: SQLConnection) throws {
        for (count, devices) in Dictionary(grouping: counts.keys, by: { counts[$0] ?? 0 }) {
            try db.run(
                """
                UPDATE devices SET queued = queued - ?
                WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
                """, .integer(count), .list(devices))
        }
    }

    /// Notes that devices know of messages that were dropped.
    static func notePruned(_ devices: Set<Int64>, _ db: SQLConnection) throws {
        try db.run(
            "UPDATE devices SET is_pruned = 0 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            .list(devices))
    }
}
