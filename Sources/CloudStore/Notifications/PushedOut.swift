import CloudSQL

/// Messages for webhooks that newer messages pushed out of the queue; pushed-out messages wait to become dead letters.
enum PushedOut {
    /// The migration "10 webhook queues".
    static let sql = """
        -- Of webhooks only: what was pushed out of the queue and is not a dead letter yet.
        CREATE TABLE pushed_out (
            id INTEGER PRIMARY KEY,
            device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            body BLOB NOT NULL
        );
        CREATE INDEX pushed_out_device ON pushed_out (device, id);
        """

    /// - Returns: whether the queue had a message.
    static func add(oldestOf device: inout DeviceTable.Listener, _ db: SQLConnection) throws -> Bool {
        let oldest = try db.first(
            "SELECT id FROM notifications WHERE device = ? ORDER BY is_delivered DESC, id LIMIT 1", .integer(device.id)
        ) { $0.integer(0) }
        guard let oldest else { return false }
        try db.run(
            """
            INSERT INTO pushed_out (id, device, created, revision, body)
            SELECT id, device, created, revision, body FROM notifications WHERE id = ?
            """, .integer(oldest))
        try db.run("DELETE FROM notifications WHERE id = ?", .integer(oldest))
        device.queued -= 1
        device.isPruned = true
        return true
    }

    /// The oldest pushed-out messages of a webhook.
    static func list(token: Int64, limit: Int, _ db: SQLConnection) throws -> [QueuedNotification] {
        var found: [QueuedNotification] = []
        try db.each(
            """
            SELECT p.id, p.revision, p.created, p.body FROM devices d CROSS JOIN pushed_out p ON p.device = d.id
            WHERE d.token = ? ORDER BY p.id LIMIT ?
            """, [.integer(token), .integer(Int64(limit))]
        ) {
            found.append(
                QueuedNotification(
                    id: $0.integer(0), revision: $0.integer(1), created: $0.timestamp(2), isDelivered: false,
                    isPruned: false, body: $0.blob(3)))
            return true
        }
        return found
    }

    static func delete(token: Int64, through id: Int64, _ db: SQLConnection) throws {
        try db.run(
            "DELETE FROM pushed_out WHERE device = (SELECT id FROM devices WHERE token = ?) AND id <= ?",
            .integer(token), .integer(id))
    }
}
