import CloudEngine
package import CloudModel
import CloudSQL

/// A message that a webhook's receiver did not accept.
package struct DeadLetter: Hashable, Sendable {
    package let id: Int64
    package let webhook: Int64
    /// The message's id for its receiver, the same in all attempts.
    package let message: String
    package let firstAttempt: Timestamp
    package let lastAttempt: Timestamp
    package let attempts: Int
    /// The reason why the last attempt failed.
    package let fault: String
    package let body: [UInt8]
    /// True if the message is marked for a retry.
    package let isRetried: Bool

    /// - Parameter row: the values of ``columns``.
    init(row: SQLRow) {
        id = row.integer(0)
        webhook = row.integer(1)
        message = row.text(2)
        firstAttempt = row.timestamp(seconds: 3)
        lastAttempt = row.timestamp(seconds: 4)
        attempts = Int(row.integer(5))
        fault = row.text(6)
        body = row.blob(7)
        isRetried = row.bool(8)
    }

    static let columns = """
        deadLetter.id, deadLetter.webhook, deadLetter.message, deadLetter.firstAttempt, deadLetter.lastAttempt,
        deadLetter.attempts, deadLetter.fault, deadLetter.body, deadLetter.isRetried
        """
}

/// Failed attempts to deliver a message.
package struct FailedDelivery: Hashable, Sendable {
    package let firstAttempt: Timestamp
    package let lastAttempt: Timestamp
    package let attempts: Int
    package let fault: String

    package init(firstAttempt: Timestamp, lastAttempt: Timestamp, attempts: Int, fault: String) {
        self.firstAttempt = firstAttempt
        self.lastAttempt = lastAttempt
        self.attempts = attempts
        self.fault = fault
    }
}

/// Messages that webhooks have refused.
package struct DeadLetters: Sendable {
    let database: AccountDatabase

    /// Stores undeliverable messages as dead letters; beyond `most`, the webhook's oldest letters are deleted.
    package func bury(
        _ messages: [(id: String, body: [UInt8])], of webhook: Int64, _ failure: FailedDelivery, keeping most: Int
    ) async throws {
        try await database.pool.write { db in
            for message in messages {
                try db.run(
                    """
                    INSERT INTO deadLetter (webhook, message, firstAttempt, lastAttempt, attempts, fault, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, message) DO NOTHING
                    """, .integer(webhook), .text(message.id), .seconds(failure.firstAttempt),
                    .seconds(failure.lastAttempt), .integer(Int64(failure.attempts)),
                    .text(failure.fault), .blob(message.body))
            }
            try db.run(
                """
                DELETE FROM deadLetter WHERE webhook = ?1 AND id <=
                    (SELECT id FROM deadLetter WHERE webhook = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                """, .integer(webhook), .integer(Int64(most)))
        }
    }

    /// Notes a failed retry of a dead letter. Ignores a cleared letter.
    package func buryAgain(_ letter: DeadLetter, _ failure: FailedDelivery) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                """
                UPDATE deadLetter SET isRetried = 0, lastAttempt = ?, attempts = attempts + ?, fault = ?
                WHERE id = ?
                """, .seconds(failure.lastAttempt), .integer(Int64(failure.attempts)),
                .text(failure.fault), .integer(letter.id))
        }
    }

    /// The oldest letter of a webhook that is marked for a retry.
    package func nextRetried(of webhook: Int64) async throws -> DeadLetter? {
        try await database.pool.read { db in
            try db.first(
                """
                SELECT \(DeadLetter.columns) FROM deadLetter WHERE webhook = ? AND isRetried = 1 ORDER BY id LIMIT 1
                """, .integer(webhook), read: DeadLetter.init(row:))
        }
    }

    /// Deletes a letter after its delivery.
    package func delete(id: Int64) async throws {
        try await database.pool.write { _ = try $0.run("DELETE FROM deadLetter WHERE id = ?", .integer(id)) }
    }
}

extension DeadLetters {
    /// Dead letters of one webhook, or of all webhooks if `webhook` is nil; oldest first.
    ///
    /// - Parameter id: only letters after this letter.
    /// - Throws: `NOT_FOUND` for an unknown webhook.
    package func list(
        of webhook: Int64? = nil, after id: Int64 = 0, limit: Int = .max
    ) async throws -> [DeadLetter] {
        try await database.pool.read { db in
            if let webhook { try Self.requireWebhook(webhook, in: db) }
            return try db.all(
                """
                SELECT \(DeadLetter.columns) FROM deadLetter JOIN webhook ON webhook.id = webhook
                WHERE isRemoved = 0 AND (CAST(?1 AS BIGINT) IS NULL OR webhook = ?1) AND deadLetter.id > ?2
                ORDER BY deadLetter.id LIMIT ?3
                """, .integer(optional: webhook), .integer(id), .integer(Int64(limit)), read: DeadLetter.init(row:))
        }
    }

    /// Deletes dead letters of one webhook, or of all webhooks.
    ///
    /// - Returns: the number of deleted letters.
    package func clear(of webhook: Int64? = nil) async throws -> Int {
        try await change("DELETE FROM deadLetter WHERE CAST(?1 AS BIGINT) IS NULL OR webhook = ?1", of: webhook)
    }

    /// Marks dead letters for a retry, which precedes queued messages.
    ///
    /// - Returns: the number of marked letters.
    package func retry(of webhook: Int64? = nil) async throws -> Int {
        try await change(
            "UPDATE deadLetter SET isRetried = 1 WHERE CAST(?1 AS BIGINT) IS NULL OR webhook = ?1", of: webhook)
    }

    private func change(_ sql: String, of webhook: Int64?) async throws -> Int {
        try await database.pool.write { db in
            if let webhook { try Self.requireWebhook(webhook, in: db) }
            return try db.run(sql, .integer(optional: webhook))
        }
    }

    private static func requireWebhook(_ id: Int64, in db: SQLConnection) throws {
        let sql = "SELECT 1 FROM webhook WHERE id = ? AND isRemoved = 0"
        guard try db.exists(sql, .integer(id)) else { throw Webhooks.noWebhook(id) }
    }
}

extension Webhooks {
    package var deadLetters: DeadLetters { DeadLetters(database: database) }
}
