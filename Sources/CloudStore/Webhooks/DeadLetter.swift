import CloudModel
package import Foundation
import GRDB

/// A message that its webhook did not take.
package struct DeadLetter: Hashable, Sendable {
    package let id: Int64
    package let webhook: Int64
    /// What names the message to its receiver, the same at every attempt.
    package let message: String
    package let firstAttempt: Date
    package let lastAttempt: Date
    package let attempts: Int
    /// Why the last attempt failed.
    package let fault: String
    package let body: [UInt8]
    /// Whether it is to be sent again.
    package let isRetried: Bool

    init(row: Row) {
        id = row["id"]
        webhook = row["webhook"]
        message = row["message"]
        firstAttempt = Date(timeIntervalSince1970: row["firstAttempt"])
        lastAttempt = Date(timeIntervalSince1970: row["lastAttempt"])
        attempts = row["attempts"]
        fault = row["fault"]
        body = [UInt8](row["body"] as Data)
        isRetried = row["isRetried"]
    }
}

/// How the attempts to deliver a message went.
package struct FailedDelivery: Hashable, Sendable {
    package let firstAttempt: Date
    package let lastAttempt: Date
    package let attempts: Int
    package let fault: String

    package init(firstAttempt: Date, lastAttempt: Date, attempts: Int, fault: String) {
        self.firstAttempt = firstAttempt
        self.lastAttempt = lastAttempt
        self.attempts = attempts
        self.fault = fault
    }
}

extension AccountStore {
    /// Keeps a message that could not be delivered; the oldest of its webhook beyond `most` goes.
    package func bury(
        message: String, body: [UInt8], of webhook: Int64, _ failure: FailedDelivery, keeping most: Int
    ) async throws {
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO deadLetter (webhook, message, firstAttempt, lastAttempt, attempts, fault, body)
                    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, message) DO NOTHING
                    """,
                arguments: [
                    webhook, message, failure.firstAttempt.timeIntervalSince1970,
                    failure.lastAttempt.timeIntervalSince1970, failure.attempts, failure.fault, Data(body),
                ])
            try db.execute(
                sql: """
                    DELETE FROM deadLetter WHERE webhook = ?1 AND id <=
                        (SELECT id FROM deadLetter WHERE webhook = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """,
                arguments: [webhook, most])
        }
    }

    /// Notes that a dead letter was sent again in vain. One that was cleared meanwhile stays so.
    package func buryAgain(_ letter: DeadLetter, _ failure: FailedDelivery) async throws {
        try await pool.write { db in
            try db.execute(
                sql: """
                    UPDATE deadLetter SET isRetried = 0, lastAttempt = ?, attempts = attempts + ?, fault = ?
                    WHERE id = ?
                    """,
                arguments: [
                    failure.lastAttempt.timeIntervalSince1970, failure.attempts, failure.fault, letter.id,
                ])
        }
    }

    /// The oldest letter of a webhook that is to be sent again.
    package func nextRetriedLetter(of webhook: Int64) async throws -> DeadLetter? {
        try await pool.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM deadLetter WHERE webhook = ? AND isRetried ORDER BY id LIMIT 1",
                arguments: [webhook]
            ).map(DeadLetter.init(row:))
        }
    }

    /// Forgets a letter that has been delivered after all.
    package func deleteLetter(id: Int64) async throws {
        try await pool.write { try $0.execute(sql: "DELETE FROM deadLetter WHERE id = ?", arguments: [id]) }
    }
}

extension AccountStore {
    /// What one webhook did not take, or all of them; oldest first.
    ///
    /// - Throws: `NOT_FOUND` for an unknown webhook.
    package func deadLetters(of webhook: Int64? = nil) async throws -> [DeadLetter] {
        try await pool.read { db in
            if let webhook { try Self.requireWebhook(webhook, in: db) }
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT deadLetter.* FROM deadLetter JOIN webhook ON webhook.id = webhook
                    WHERE NOT isRemoved AND (?1 IS NULL OR webhook = ?1) ORDER BY deadLetter.id
                    """,
                arguments: [webhook]
            ).map(DeadLetter.init(row:))
        }
    }

    /// Deletes them.
    ///
    /// - Returns: how many there were.
    package func clearDeadLetters(of webhook: Int64? = nil) async throws -> Int {
        try await change("DELETE FROM deadLetter WHERE ?1 IS NULL OR webhook = ?1", of: webhook)
    }

    /// Has them sent again, before what waits.
    ///
    /// - Returns: how many there are.
    package func retryDeadLetters(of webhook: Int64? = nil) async throws -> Int {
        try await change("UPDATE deadLetter SET isRetried = 1 WHERE ?1 IS NULL OR webhook = ?1", of: webhook)
    }

    private func change(_ sql: String, of webhook: Int64?) async throws -> Int {
        try await pool.write { db in
            if let webhook { try Self.requireWebhook(webhook, in: db) }
            try db.execute(sql: sql, arguments: [webhook])
            return db.changesCount
        }
    }

    private static func requireWebhook(_ id: Int64, in db: Database) throws {
        let sql = "SELECT 1 FROM webhook WHERE id = ? AND NOT isRemoved"
        guard try Row.fetchOne(db, sql: sql, arguments: [id]) != nil else { throw noWebhook(id) }
    }
}
