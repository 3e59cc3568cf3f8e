import CloudModel
import CloudSQL

/// Messages that tell many devices of one change, each stored in a row with the devices that have yet to take it.
///
/// Such rows hold devices with a waiting poll and an empty queue; nearly all take their message within milliseconds. Before
/// another message is queued for a device, its message here moves to the device's queue. So each device has either a single
/// message here or any number in its queue.
enum CrowdMessages {
    /// The migration "21 crowd messages".
    static let sql = """
        -- A message for many devices that have no other: the text before and behind the user's name, and the devices that
        -- have not got it with the numbers of their messages (CrowdDevices), all from first_device to last_device. id is the
        -- greatest of the numbers.
        CREATE TABLE crowd_messages (
            id INTEGER PRIMARY KEY,
            first_device INTEGER NOT NULL,
            last_device INTEGER NOT NULL,
            created INTEGER NOT NULL,
            head BLOB NOT NULL,
            tail BLOB NOT NULL,
            devices BLOB NOT NULL
        );
        """

    /// The fewest devices of a crowd message; smaller groups are queued device by device.
    static let fewest = 16
    private static let mostDevices = 1000
    /// Limits that bound each poll's search of rows.
    private static let (mostRows, longest) = (32, Duration.seconds(5))

    /// One device's message in a crowd row. A class, since thousands are sorted and grouped.
    final class Entry {
        let device: Int64
        let token: Int64
        let user: String
        let message: LoggedNotification
        let text: SharedText

        init(for listener: DeviceTable.Listener, _ message: LoggedNotification, _ text: SharedText) {
            (device, token, user) = (listener.id, listener.token, listener.user)
            (self.message, self.text) = (message, text)
        }
    }

    /// Adds a message for devices with empty queues.
    static func add(_ entries: [Entry], _ db: SQLConnection) throws {
        let sorted = entries.sorted { $0.device < $1.device }
        for start in stride(from: 0, to: sorted.count, by: mostDevices) {
            let part = sorted[start..<min(start + mostDevices, sorted.count)]
            guard let first = part.first, let last = part.last else { continue }
            let places = part.map { CrowdDevices.Place($0.device, $0.message.id, Array($0.user.utf8)[...]) }
            try db.run(
                """
                INSERT INTO crowd_messages (id, first_device, last_device, created, head, tail, devices)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                .integer(part.lazy.map(\.message.id).max() ?? 0), .integer(first.device), .integer(last.device),
                .timestamp(first.message.queued), .blob(first.text.frame.head), .blob(first.text.frame.tail),
                .blob(CrowdDevices(places).bytes))
        }
    }

    // MARK: Reading

    /// The crowd message for a token; nil without one.
    static func next(token: Int64, now: Timestamp, _ db: SQLConnection) throws -> QueuedNotification? {
        var found: QueuedNotification?
        try db.each(
            """
            SELECT d.id, d.user, c.devices, c.created, c.head, c.tail FROM devices d CROSS JOIN crowd_messages c
                ON c.first_device <= d.id AND c.last_device >= d.id
            WHERE d.token = ? AND d.expires > ?
            """, [.integer(token), .timestamp(now)]
        ) { row in
            let (device, user) = (row.integer(0), row.text(1))
            let place = try CrowdDevices(bytes: row.blob(2)).first { $0.device == device }
            guard let place, place.user.elementsEqual(user.utf8) else { return true }
            let frame = SubscriptionMessage.Frame(head: row.blob(4), tail: row.blob(5))
            found = QueuedNotification(
                id: place.message, revision: 0, created: row.timestamp(3), isDelivered: false, isPruned: false,
                body: try text(frame, for: user))
            return false
        }
        return found
    }

    /// Devices with a crowd message, and the time of queueing.
    static func waiting(_ db: SQLConnection) throws -> [Int64: Timestamp] {
        var waiting: [Int64: Timestamp] = [:]
        try db.each("SELECT devices, created FROM crowd_messages") { row in
            let created = row.timestamp(1)
            _ = try CrowdDevices(bytes: row.blob(0)).first {
                waiting[$0.device] = created
                return false
            }
            return true
        }
        return waiting
    }

    private static func text(_ frame: SubscriptionMessage.Frame, for user: String) throws -> [UInt8] {
        guard let text = frame.text(for: user) else {
            throw SQLError(.damaged, "a message for many devices is too large")
        }
        return text
    }

    // MARK: Taking out

    /// Removes messages that have arrived.
    ///
    /// - Returns: the messages that are not crowd messages.
    static func acknowledge(_ messages: [QueuedNotification], _ db: SQLConnection) throws -> [QueuedNotification] {
        let ids = Set(messages.lazy.filter { $0.revision == 0 }.map(\.id))
        var taken: Set<Int64> = []
        for row in try rows(db) {
            for place in try take(from: row, db, where: { ids.contains($0.message) }) { taken.insert(place.message) }
        }
        return taken.isEmpty ? messages : messages.filter { !taken.contains($0.id) }
    }

    /// Moves the crowd messages of devices to their queues.
    ///
    /// - Returns: the devices that had a crowd message.
    static func settle(_ devices: Set<Int64>, _ db: SQLConnection) throws -> Set<Int64> {
        guard let first = devices.min(), let last = devices.max() else { return [] }
        return try settle(rows(db, first: first, last: last), db) { devices.contains($0.device) }
    }

    /// Moves these crowd messages to the queues of their devices.
    static func settle(messages: [QueuedNotification], _ db: SQLConnection) throws {
        let ids = Set(messages.map(\.id))
        _ = try settle(rows(db), db) { ids.contains($0.message) }
    }

    /// Moves all crowd messages to their devices' queues. Call before deleting a device, since its queue is deleted too.
    static func settleAll(_ db: SQLConnection) throws { _ = try settle(rows(db), db) { _ in true } }

    /// Moves old crowd messages to their devices' queues; moves all when there are too many rows.
    static func tidy(_ now: Timestamp, _ db: SQLConnection) throws {
        let rows = try rows(db)
        let old = rows.count >= mostRows ? rows : rows.filter { !(.zero..<longest).contains(now - $0.created) }
        _ = try settle(old, db) { _ in true }
    }

    private struct Row {
        let id: Int64
        let created: Timestamp
        let frame: SubscriptionMessage.Frame
        let devices: CrowdDevices
    }

    private static func rows(_ db: SQLConnection, first: Int64 = .min, last: Int64 = .max) throws -> [Row] {
        try db.all(
            """
            SELECT id, created, head, tail, devices FROM crowd_messages
            WHERE first_device <= ? AND last_device >= ? ORDER BY id
            """, .integer(last), .integer(first)
        ) {
            Row(
                id: $0.integer(0), created: $0.timestamp(1),
                frame: SubscriptionMessage.Frame(head: $0.blob(2), tail: $0.blob(3)),
                devices: CrowdDevices(bytes: $0.blob(4)))
        }
    }

    private static func take(
        from row: Row, _ db: SQLConnection, where isTaken: (CrowdDevices.Place) -> Bool
    ) throws -> [CrowdDevices.Place] {
        let (taken, rest) = try row.devices.divided(by: isTaken)
        if taken.isEmpty { return [] }
        if rest.bytes.isEmpty {
            try db.run("DELETE FROM crowd_messages WHERE id = ?", .integer(row.id))
        } else {
            try db.run("UPDATE crowd_messages SET devices = ? WHERE id = ?", .blob(rest.bytes), .integer(row.id))
        }
        return taken
    }

    private static func settle(
        _ rows: [Row], _ db: SQLConnection, where isTaken: (CrowdDevices.Place) -> Bool
    ) throws -> Set<Int64> {
        var settled: Set<Int64> = []
        for row in rows {
            let places = try take(from: row, db, where: isTaken)
            let users = try DeviceTable.users(of: places.map(\.device), db)
            for place in places {
                // Skip devices that were deleted or re-registered by another user.
                guard let user = users[place.device], place.user.elementsEqual(user.utf8) else { continue }
                try NotificationQueue.insert(
                    id: place.message, device: place.device, at: row.created, text(row.frame, for: user), db)
                settled.insert(place.device)
            }
        }
        if settled.isEmpty { return [] }
        try db.writeDeferred()
        try DeviceTable.shorten(Dictionary(uniqueKeysWithValues: settled.map { ($0, -1) }), db)
        return settled
    }
}
