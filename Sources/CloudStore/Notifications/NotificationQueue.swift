import CloudModel
import GRDB

/// The messages that wait for each device, first in first out.
enum NotificationQueue {
    /// Queues a message; one with the same `collapse` that still waits keeps its place and takes the new text.
    ///
    /// - Parameter body: the text, given the badge's number.
    static func put(
        collapse: String?, for device: DeviceTable.Listener, on occasion: Occasion, badges: Bool,
        _ body: (_ badge: Int64) -> [UInt8], _ db: Database
    ) throws {
        let badge = device.badge + 1
        let revision = try db.first(
            """
            INSERT INTO notifications (device, created, collapse, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (device, collapse) WHERE collapse IS NOT NULL AND is_delivered = 0
                DO UPDATE SET body = excluded.body, revision = revision + 1
            RETURNING revision
            """,
            .integer(device.id), .integer(occasion.now), .text(optional: collapse), .blob(body(badge))
        ) { $0.integer(0) }
        let isNew = revision == 0
        if !isNew && !badges { return }
        try db.run(
            "UPDATE devices SET queued = queued + ?, badge = badge + ? WHERE id = ?",
            .integer(isNew ? 1 : 0), .integer(badges ? 1 : 0), .integer(device.id))
        if isNew { try keepWithinBound(device, occasion.mostQueued, db) }
    }

    /// Drops the oldest, those that were delivered first. What nobody has read is missed: the next message says so.
    private static func keepWithinBound(_ device: DeviceTable.Listener, _ bound: Int, _ db: Database) throws {
        guard device.queued >= bound else { return }
        let oldest = try db.first(
            "SELECT id, is_delivered FROM notifications WHERE device = ? ORDER BY is_delivered DESC, id LIMIT 1",
            .integer(device.id)
        ) { (id: $0.integer(0), isDelivered: $0.integer(1) != 0) }
        guard let oldest else { return }
        try db.run("DELETE FROM notifications WHERE id = ?", .integer(oldest.id))
        try db.run(
            "UPDATE devices SET queued = queued - 1, is_pruned = is_pruned OR ? WHERE id = ?",
            .integer(oldest.isDelivered ? 0 : 1), .integer(device.id))
    }

    /// The message that is next for a token; nil when none waits.
    static func next(token: Int64, now: Int64, _ db: Database) throws -> QueuedNotification? {
        try db.first(
            """
            SELECT n.id, n.revision, n.created, n.is_delivered, d.is_pruned, n.body
            FROM devices d CROSS JOIN notifications n ON n.device = d.id AND n.is_delivered = 0
            WHERE d.token = ? AND d.expires > ? ORDER BY n.id LIMIT 1
            """,
            .integer(token), .integer(now), read: notification)
    }

    /// Messages that come after a place, delivered or not, in order. The first that nobody has had tells of those
    /// that were dropped.
    static func list(
        token: Int64, after id: Int64, limit: Int, now: Int64, _ db: Database
    ) throws -> [QueuedNotification] {
        var found: [QueuedNotification] = []
        var isMarked = false
        try db.each(
            """
            SELECT n.id, n.revision, n.created, n.is_delivered, d.is_pruned AND n.is_delivered = 0, n.body
            FROM devices d CROSS JOIN notifications n ON n.device = d.id AND n.is_delivered IN (0, 1)
            WHERE d.token = ? AND d.expires > ? AND n.id > ? ORDER BY n.id LIMIT ?
            """,
            [.integer(token), .integer(now), .integer(id), .integer(Int64(limit))]
        ) {
            found.append(notification($0, marking: !isMarked))
            isMarked = isMarked || found.last?.isPruned == true
            return true
        }
        return found
    }

    /// Notes that a message has arrived. One that changed meanwhile goes on waiting.
    ///
    /// - Parameter keeps: whether it may be asked for again by its place.
    static func settle(_ message: QueuedNotification, keeps: Bool, _ db: Database) throws {
        let change = keeps ? "UPDATE notifications SET is_delivered = 1" : "DELETE FROM notifications"
        let device = try db.first(
            "\(change) WHERE id = ? AND revision = ? AND is_delivered = 0 RETURNING device",
            .integer(message.id), .integer(message.revision)
        ) { $0.integer(0) }
        if let device, !keeps { try db.run("UPDATE devices SET queued = queued - 1 WHERE id = ?", .integer(device)) }
        guard message.isPruned, let device else { return }
        try db.run("UPDATE devices SET is_pruned = 0 WHERE id = ?", .integer(device))
    }

    private static func notification(_ row: SQLRow) -> QueuedNotification { notification(row, marking: true) }

    private static func notification(_ row: SQLRow, marking: Bool) -> QueuedNotification {
        let isPruned = marking && row.integer(4) != 0
        let body = row.blob(5)
        return QueuedNotification(
            id: row.integer(0), revision: row.integer(1), created: row.integer(2),
            isDelivered: row.integer(3) != 0, isPruned: isPruned,
            body: isPruned ? NotificationMessage.marked(body) : body)
    }
}
