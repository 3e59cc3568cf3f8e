import CloudEngine
import CloudModel
import CloudSQL

/// Each device's queue of messages, first in first out.
enum NotificationQueue {
    /// Queues a message; a queued message with the same `collapse` keeps its position and takes the new text.
    ///
    /// - Parameters:
    ///   - body: the message's text.
    ///   - device: the device and its queue's state; updated here, written back by the caller.
    /// - Returns: the message as queued.
    static func put(
        _ announcement: Announcement, _ body: [UInt8], for device: inout DeviceTable.Listener, in context: WriteContext,
        _ transaction: WriteTransaction
    ) throws -> LoggedNotification {
        let db = transaction.db
        let message = try insert(announcement, body, for: device, at: context.now, transaction)
        if announcement.badges { device.badge += 1 }
        guard message.revision == 0 else { return message }
        device.queued += 1
        if device.isWebhook {
            while device.queued > context.mostQueuedForWebhook, try PushedOut.add(oldestOf: &device, db) {}
        } else {
            while device.queued > context.mostQueued, try dropOldest(&device, db) {}
        }
        return message
    }

    private static func insert(
        _ announcement: Announcement, _ body: [UInt8], for device: DeviceTable.Listener, at now: Timestamp,
        _ transaction: WriteTransaction
    ) throws -> LoggedNotification {
        let id = try transaction.nextID(in: .notifications)
        guard let collapse = announcement.collapse else {
            try insert(id: id, device: device.id, at: now, body, transaction.db)
            return LoggedNotification(id: id, revision: 0, recipient: device.recipient, queued: now, body: body)
        }
        let message = try transaction.db.first(
            """
            INSERT INTO notifications (id, device, created, collapse, body) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (device, collapse) WHERE collapse IS NOT NULL AND is_delivered = 0
                DO UPDATE SET body = excluded.body, revision = notifications.revision + 1
            RETURNING id, revision, created
            """,
            .integer(id), .integer(device.id), .timestamp(now), .text(collapse), .blob(body)
        ) {
            LoggedNotification(
                id: $0.integer(0), revision: $0.integer(1), recipient: device.recipient, queued: $0.timestamp(2),
                body: body)
        }
        guard let message else { throw SQLError(.damaged, "a message was not queued") }
        return message
    }

    /// Appends a message to a device's queue.
    static func insert(
        id: Int64, device: Int64, at created: Timestamp, _ body: [UInt8], _ db: SQLConnection
    ) throws {
        try db.later(insertion, [.integer(id), .integer(device), .timestamp(created), .blob(body)])
    }

    private static let insertion = DeferredStatement(
        insert: "INSERT INTO notifications (id, device, created, body)", columns: 4, rank: WriteRank.beside)

    /// Drops the oldest message, delivered ones first. If it was undelivered, the next message says so.
    ///
    /// - Returns: whether a message was dropped.
    private static func dropOldest(_ device: inout DeviceTable.Listener, _ db: SQLConnection) throws -> Bool {
        let wasDelivered = try db.first(
            """
            DELETE FROM notifications WHERE id =
                (SELECT id FROM notifications WHERE device = ? ORDER BY is_delivered DESC, id LIMIT 1)
            RETURNING is_delivered
            """, .integer(device.id)
        ) { $0.integer(0) != 0 }
        guard let wasDelivered else { return false }
        device.queued -= 1
        if !wasDelivered { device.isPruned = true }
        return true
    }

    /// The next message for a token; nil for an empty queue.
    static func next(token: Int64, now: Timestamp, _ db: SQLConnection) throws -> QueuedNotification? {
        try db.first(
            """
            SELECT n.id, n.revision, n.created, n.is_delivered, d.is_pruned, n.body
            FROM devices d /*!CROSS*/ JOIN notifications n ON n.device = d.id AND n.is_delivered = 0
            WHERE d.token = ? AND d.expires > ? ORDER BY n.id LIMIT 1
            """,
            .integer(token), .timestamp(now), read: notification) ?? CrowdMessages.next(token: token, now: now, db)
    }

    /// The number of the newest stored message; 0 without messages.
    static func newest(_ db: SQLConnection) throws -> Int64 {
        try ["notifications", "crowd_messages"].map { table in
            try db.first("SELECT max(id) FROM \(table)") { $0.integer(0) } ?? 0
        }.max() ?? 0
    }

    /// The tokens with undelivered messages.
    static func waiting(among tokens: Set<Int64>, _ db: SQLConnection) throws -> Set<Int64> {
        Set(
            try db.all(
                """
                SELECT d.token FROM devices d
                WHERE d.token IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND (
                    EXISTS (SELECT 1 FROM notifications n WHERE n.device = d.id AND n.is_delivered = 0)
                    OR d.id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)))
                """, .list(tokens), .list(CrowdMessages.waiting(db).keys)
            ) { $0.integer(0) })
    }

    /// Messages after a position, delivered or not, in order. The first undelivered one reports dropped messages.
    static func list(
        token: Int64, after id: Int64, limit: Int, now: Timestamp, _ db: SQLConnection
    ) throws -> [QueuedNotification] {
        var found: [QueuedNotification] = []
        var isMarked = false
        try db.each(
            """
            SELECT n.id, n.revision, n.created, n.is_delivered, d.is_pruned <> 0 AND n.is_delivered = 0, n.body
            FROM devices d /*!CROSS*/ JOIN notifications n ON n.device = d.id AND n.is_delivered IN (0, 1)
            WHERE d.token = ? AND d.expires > ? AND n.id > ? ORDER BY n.id LIMIT ?
            """,
            [.integer(token), .timestamp(now), .integer(id), .integer(Int64(limit))]
        ) {
            found.append(notification($0, marking: !isMarked))
            isMarked = isMarked || found.last?.isPruned == true
            return true
        }
        if found.isEmpty, limit > 0, let only = try CrowdMessages.next(token: token, now: now, db), only.id > id {
            found.append(only)
        }
        return found
    }

    /// Marks messages as delivered. A message replaced meanwhile stays queued.
    ///
    /// - Parameter keeps: true to keep delivered messages for later reads by position.
    static func acknowledge(_ messages: [QueuedNotification], keeps: Bool, _ db: SQLConnection) throws {
        var messages = messages
        if keeps {
            try CrowdMessages.settle(messages: messages, db)
        } else {
            messages = try CrowdMessages.acknowledge(messages, db)
            if messages.isEmpty { return }
        }
        let change = keeps ? "UPDATE notifications SET is_delivered = 1" : "DELETE FROM notifications"
        let pruned = Set(messages.lazy.filter(\.isPruned).map(\.id))
        var isPruned: Set<Int64> = []
        var arrived: [Int64: Int64] = [:]
        for (revision, messages) in Dictionary(grouping: messages, by: \.revision) {
            let gone = try db.all(
                """
                \(change) WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND revision = ?
                    AND is_delivered = 0 RETURNING id, device
                """, .list(messages.map(\.id)), .integer(revision)
            ) { (id: $0.integer(0), device: $0.integer(1)) }
            for (id, device) in gone {
                arrived[device, default: 0] += 1
                if pruned.contains(id) { isPruned.insert(device) }
            }
        }
        if !keeps { try DeviceTable.shorten(arrived, db) }
        if !isPruned.isEmpty { try DeviceTable.clearPruned(isPruned, db) }
    }

    /// Marks a message as delivered by its position, and keeps it. A message replaced meanwhile stays queued.
    static func acknowledge(_ place: DeliveredMessage, token: Int64, _ db: SQLConnection) throws {
        try CrowdMessages.settleAll(db)
        let device = try db.first(
            """
            UPDATE notifications SET is_delivered = 1
            WHERE id = ? AND revision = ? AND is_delivered = 0 AND device = (SELECT id FROM devices WHERE token = ?)
            RETURNING device
            """, .integer(place.id), .integer(place.revision), .integer(token)
        ) { $0.integer(0) }
        guard let device, place.isPruned else { return }
        try db.run("UPDATE devices SET is_pruned = 0 WHERE id = ?", .integer(device))
    }

    private static func notification(_ row: SQLRow) -> QueuedNotification { notification(row, marking: true) }

    private static func notification(_ row: SQLRow, marking: Bool) -> QueuedNotification {
        let isPruned = marking && row.integer(4) != 0
        let body = row.blob(5)
        return QueuedNotification(
            id: row.integer(0), revision: row.integer(1), created: row.timestamp(2),
            isDelivered: row.integer(3) != 0, isPruned: isPruned,
            body: isPruned ? NotificationMessage.marked(body) : body)
    }
}
