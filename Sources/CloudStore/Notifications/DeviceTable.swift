package import CloudAccounts
import CloudEngine
import CloudModel
package import CloudSQL

/// The table of devices that get notifications.
package enum DeviceTable {
    /// Registers or renews a token. Its queue is kept, unless the token now belongs to another user.
    static func save(_ device: Device, _ db: SQLConnection) throws {
        try db.run("DELETE FROM devices WHERE token = ? AND \"user\" <> ?", .integer(device.token), .text(device.user))
        try db.run(
            """
            INSERT INTO devices (token, "user", client_id, expires) VALUES (?, ?, ?, ?)
            ON CONFLICT (token) DO UPDATE SET client_id = excluded.client_id, expires = excluded.expires
            """,
            .integer(device.token), .text(device.user), .text(optional: device.clientID), .timestamp(device.expires))
    }

    /// Hands a token's queue to another token of the same user, unless that token is already registered; deletes the first.
    static func hand(from token: Int64, to device: Device, _ db: SQLConnection) throws {
        try db.run(
            """
            UPDATE devices SET token = ?1 WHERE token = ?2 AND "user" = ?3
                AND NOT EXISTS (SELECT 1 FROM devices WHERE token = ?1)
            """,
            .integer(device.token), .integer(token), .text(device.user))
        try delete(token: token, db)
    }

    package static func delete(token: Int64, _ db: SQLConnection) throws {
        try db.run("DELETE FROM devices WHERE token = ?", .integer(token))
    }

    /// The devices of push tokens.
    package static func registered(_ db: SQLConnection) throws -> [Device] {
        try db.all("SELECT token, \"user\", client_id, expires FROM devices WHERE token > 0") {
            Device(
                token: $0.integer(0), user: $0.text(1), clientID: $0.optionalText(2), expires: $0.timestamp(3))
        }
    }

    static func firstExpiry(_ db: SQLConnection) throws -> Timestamp? {
        try db.first("SELECT expires FROM devices ORDER BY expires LIMIT 1") { $0.timestamp(0) }
    }

    /// - Returns: the number of deleted devices.
    static func deleteExpired(at now: Timestamp, _ db: SQLConnection) throws -> Int {
        try db.run("DELETE FROM devices WHERE expires <= ?", .timestamp(now))
    }

    /// A device and its queue's state, while a message is added.
    struct Listener: Hashable {
        let id: Int64
        let token: Int64
        /// The user whose messages the device gets, or ``Device/everybody``.
        let user: String
        /// The client's own name.
        let clientID: String?
        var badge: Int64
        var queued: Int64
        /// True if the next message must say that other messages were pruned.
        var isPruned: Bool
        /// Push tokens are positive, webhooks negative.
        var isWebhook: Bool { token < 0 }

        var recipient: LoggedNotification.Recipient { isWebhook ? .webhook(-token) : .device(clientID: clientID) }

        /// Returns true if the only change is one more queued message.
        func hasOneMore(than before: Listener) -> Bool {
            queued == before.queued + 1 && badge == before.badge && isPruned == before.isPruned
        }

        fileprivate static let columns = "\"user\", id, token, client_id, badge, queued, is_pruned"

        /// - Parameter row: a row of ``columns``.
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

    /// The device of a push token; nil for an expired or unknown device.
    static func listener(id: Int64, now: Timestamp, _ db: SQLConnection) throws -> Listener? {
        try db.first(
            "SELECT \(Listener.columns) FROM devices WHERE id = ? AND token > 0 AND expires > ?", .integer(id),
            .timestamp(now)
        ) { Listener($0) }
    }

    /// The users of devices, by device; unknown devices are left out.
    static func users(of devices: [Int64], _ db: SQLConnection) throws -> [Int64: String] {
        var users: [Int64: String] = [:]
        try db.each(
            "SELECT id, \"user\" FROM devices WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            [.list(devices)]
        ) {
            users[$0.integer(0)] = $0.text(1)
            return true
        }
        return users
    }

    /// The unexpired devices of these users, without the requesting client's own.
    static func listeners(
        _ users: [String], in context: WriteContext, _ db: SQLConnection
    ) throws -> [Listener] {
        var listeners: [Listener] = []
        try db.each(
            """
            SELECT \(Listener.columns) FROM devices
            WHERE "user" IN (SELECT value FROM json_each(?)) AND expires > ?
                AND ("user" IS DISTINCT FROM ?3 OR CAST(?4 AS TEXT) IS NULL OR client_id IS DISTINCT FROM ?4)
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

    /// Adds a message to each device's queue length.
    static func lengthen(_ devices: [Int64], _ db: SQLConnection) throws {
        try db.later(longer, [.list(devices)])
    }

    private static let longer = DeferredStatement(
        "UPDATE devices SET queued = queued + 1 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
        rank: WriteRank.beside)

    /// Subtracts messages from queue lengths.
    ///
    /// - Parameter counts: the number of messages to subtract, by device.
    static func shorten(_ counts: [Int64: Int64], _ db: SQLConnection) throws {
        for (count, devices) in Dictionary(grouping: counts.keys, by: { counts[$0] ?? 0 }) {
            try db.run(
                """
                UPDATE devices SET queued = queued - ?
                WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
                """, .integer(count), .list(devices))
        }
    }

    /// Clears the pruned flag: the devices have been told of dropped messages.
    static func clearPruned(_ devices: Set<Int64>, _ db: SQLConnection) throws {
        try db.run(
            "UPDATE devices SET is_pruned = 0 WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?))",
            .list(devices))
    }
}
