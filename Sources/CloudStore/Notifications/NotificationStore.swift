import CloudModel

/// The queued messages for the listeners of an environment.
///
/// Tokens are rows of the accounts file.
package struct NotificationStore: Sendable {
    let stored: StoredEnvironment

    /// The number of the newest stored message; 0 without messages.
    func newest() async throws -> Int64 {
        try await stored.reads.read(.small) { db in try NotificationQueue.newest(db) }
    }

    /// The tokens with undelivered messages.
    func waiting(among tokens: Set<Int64>) async throws -> Set<Int64> {
        try await stored.reads.read { db in try NotificationQueue.waiting(among: tokens, db) }
    }

    /// The oldest undelivered message; nil without one.
    package func next(token: Int64) async throws -> QueuedNotification? {
        let now = stored.now()
        return try await stored.reads.read(.small) { db in try NotificationQueue.next(token: token, now: now, db) }
    }

    /// Messages after this id, delivered or not, in order.
    package func list(token: Int64, after id: Int64, limit: Int) async throws -> [QueuedNotification] {
        let now = stored.now()
        return try await stored.reads.read(.small) { db in
            try NotificationQueue.list(token: token, after: id, limit: limit, now: now, db)
        }
    }

    /// Marks a message of a token as delivered, and keeps it.
    package func acknowledge(_ place: DeliveredMessage, token: Int64) async throws {
        try await stored.writes.write(for: nil) { try NotificationQueue.acknowledge(place, token: token, $0.db) }
    }

    /// A webhook's messages that newer messages pushed out of its queue, oldest first.
    package func pushedOut(token: Int64, limit: Int) async throws -> [QueuedNotification] {
        try await stored.reads.read(.small) { db in try PushedOut.list(token: token, limit: limit, db) }
    }

    /// Deletes a webhook's pushed-out messages up to this id.
    package func forgetPushedOut(token: Int64, through id: Int64) async throws {
        try await stored.writes.write(for: nil) { try PushedOut.delete(token: token, through: id, $0.db) }
    }

    /// Marks messages as delivered. A message replaced meanwhile stays queued.
    ///
    /// - Parameter keeping: true to keep delivered messages for reads by id, until newer messages push them out.
    package func acknowledge(_ notifications: [QueuedNotification], keeping: Bool) async throws {
        try await stored.writes.write(for: nil) {
            try NotificationQueue.acknowledge(notifications, keeps: keeping, $0.db)
        }
    }
}
