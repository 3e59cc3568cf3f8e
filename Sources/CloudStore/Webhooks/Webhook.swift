package import CloudModel
package import Foundation
import GRDB

/// A URL that gets every notification of one environment of a container.
package struct Webhook: Hashable, Sendable {
    /// Never used again, even after the webhook is removed.
    package let id: Int64
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let url: WebhookURL
    /// Messages that could not be delivered and are kept.
    package let deadLetters: Int
    package let created: Date
    let salt: Data

    /// The number its queue goes by among the devices of its records file; those of push tokens are positive.
    package var device: Int64 { -id }

    init(row: Row) throws {
        id = row["id"]
        container = row["container"]
        containerName = row["containerName"]
        environment = try ContainerEnvironment.read(row)
        url = try WebhookURL(checking: row["url"])
        deadLetters = row["deadLetters"]
        created = Date(timeIntervalSince1970: row["created"])
        salt = row["salt"]
    }

    static let select = """
        SELECT webhook.*, container.name AS containerName,
            (SELECT count(*) FROM deadLetter WHERE webhook = webhook.id) AS deadLetters
        FROM webhook JOIN container ON container.id = container
        """
}

extension AccountStore {
    /// Has every notification of an environment sent to `url` from now on.
    ///
    /// - Returns: the webhook, and the secret its messages are signed with.
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func addWebhook(
        container: String, environment: ContainerEnvironment, url: WebhookURL
    ) async throws -> (secret: WebhookSecret, webhook: Webhook) {
        let salt = Data(RandomText.bytes(32))
        let secret = try secret(salt: salt)
        let webhook = try await pool.write { [created = clock()] db in
            let container = try Container.require(name: container, in: db)
            try db.execute(
                sql: "INSERT INTO webhook (container, environment, url, salt, created) VALUES (?, ?, ?, ?, ?)",
                arguments: [container.id, environment.rawValue, url.text, salt, created.timeIntervalSince1970])
            return try Row.fetchOne(
                db, sql: Webhook.select + " WHERE webhook.id = ?", arguments: [db.lastInsertedRowID]
            ).map(Webhook.init(row:))
        }
        guard let webhook else { throw ServerError(.internalError, "the webhook was not stored") }
        return (secret, webhook)
    }

    /// The webhooks of one container, or of all; by container, then age.
    package func webhooks(container: String? = nil) async throws -> [Webhook] {
        try await pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql = """
                \(Webhook.select) WHERE NOT isRemoved AND (? IS NULL OR containerName = ?)
                ORDER BY containerName, webhook.id
                """
            return try Row.fetchAll(db, sql: sql, arguments: [container, container]).map(Webhook.init(row:))
        }
    }

    /// Sends nothing more to a webhook. The server that delivers takes its queue away, then forgets it.
    package func removeWebhook(id: Int64) async throws {
        try await pool.write { db in
            try db.execute(sql: "UPDATE webhook SET isRemoved = 1 WHERE id = ? AND NOT isRemoved", arguments: [id])
            guard db.changesCount > 0 else { throw Self.noWebhook(id) }
        }
    }

    /// Webhooks that were removed and still have a queue.
    package func removedWebhooks() async throws -> [Webhook] {
        try await pool.read { db in
            try Row.fetchAll(db, sql: Webhook.select + " WHERE isRemoved").map(Webhook.init(row:))
        }
    }

    /// Deletes a webhook that was removed, with its dead letters.
    package func forgetWebhook(id: Int64) async throws {
        try await pool.write { db in
            try db.execute(sql: "DELETE FROM webhook WHERE id = ? AND isRemoved", arguments: [id])
        }
    }

    static func noWebhook(_ id: Int64) -> ServerError {
        ServerError(.notFound, "there is no webhook \(id); 'cumulus webhook list' shows them")
    }
}
