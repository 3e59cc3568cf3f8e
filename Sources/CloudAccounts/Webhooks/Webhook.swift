import CloudEngine
package import CloudModel
import CloudSQL
import Foundation

/// A URL that receives every notification of one environment of a container.
package struct Webhook: Hashable, Sendable {
    /// Never reused, even after the webhook is removed.
    package let id: Int64
    package let container: Int64
    package let containerName: String
    package let environment: ContainerEnvironment
    package let url: WebhookURL
    /// The number of stored dead letters.
    package let deadLetters: Int
    package let created: Timestamp
    /// True if messages are queued for the webhook, because a server has noticed it.
    package let isInForce: Bool
    /// Whether messages contain record values and subscribers' texts, beyond the names of changed records.
    package let carriesValues: Bool
    let salt: Data

    /// The webhook's number among the devices of its records file. Push tokens have positive numbers.
    package var device: Int64 { -id }

    /// - Parameter row: a row of ``select``.
    init(row: SQLRow) throws {
        id = row.integer(0)
        container = row.integer(1)
        containerName = row.text(2)
        environment = try ContainerEnvironment.read(row, 3)
        url = try WebhookURL(checking: row.text(4))
        deadLetters = Int(row.integer(5))
        created = row.timestamp(seconds: 6)
        isInForce = row.bool(7)
        salt = Data(row.blob(8))
        carriesValues = row.bool(9)
    }

    static let select = """
        SELECT webhook.id, webhook.container, container.name AS containerName, webhook.environment, webhook.url,
            (SELECT count(*) FROM deadLetter WHERE webhook = webhook.id) AS deadLetters, webhook.created,
            webhook.isInForce, webhook.salt, webhook.carriesValues
        FROM webhook JOIN container ON container.id = container
        """
}

/// The webhooks of all containers.
package struct Webhooks: Sendable {
    let database: AccountDatabase

    /// Adds a webhook: every notification of the environment is sent to `url` from now on.
    ///
    /// - Parameters:
    ///   - carriesValues: whether messages contain record values.
    ///   - maker: the management token or operator that adds the webhook; nil for a command on the server.
    /// - Returns: the webhook, and the secret that signs its messages.
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func add(
        container: String, environment: ContainerEnvironment, url: WebhookURL, carriesValues: Bool = true,
        maker: CredentialMaker? = nil
    ) async throws -> (secret: WebhookSecret, webhook: Webhook) {
        let salt = Data(RandomText.bytes(32))
        let secret = try await secret(salt: salt)
        let webhook = try await database.pool.write { [created = database.now()] db in
            let container = try Container.require(name: container, in: db)
            let id = try db.insert(
                """
                INSERT INTO webhook (container, environment, url, salt, created, carriesValues, maker)
                VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
                """, .integer(container.id), .text(environment.rawValue), .text(url.text), .blob(Array(salt)),
                .seconds(created), .bool(carriesValues), .text(optional: maker?.text))
            return try db.first(Webhook.select + " WHERE webhook.id = ?", .integer(id), read: Webhook.init(row:))
        }
        guard let webhook else { throw ServerError(.internalError, "the webhook was not stored", .server(.fault)) }
        return (secret, webhook)
    }

    /// Notes that messages are queued for a webhook.
    package func noteInForce(webhook id: Int64) async throws {
        try await database.pool.write { _ = try $0.run("UPDATE webhook SET isInForce = 1 WHERE id = ?", .integer(id)) }
    }

    /// Webhooks of one container, or of all containers if `container` is nil; by container name, then age.
    package func list(container: String? = nil) async throws -> [Webhook] {
        try await database.pool.read { db in
            if let container { _ = try Container.require(name: container, in: db) }
            let sql = """
                \(Webhook.select) WHERE isRemoved = 0 AND (CAST(? AS TEXT) IS NULL OR container.name = ?)
                ORDER BY containerName, webhook.id
                """
            return try db.all(
                sql, .text(optional: container), .text(optional: container), read: Webhook.init(row:))
        }
    }

    /// Stops sending to a webhook. The delivering server deletes the webhook's queue, then calls ``forget(id:)``.
    package func remove(id: Int64) async throws {
        try await database.pool.write { db in
            let removed = try db.run("UPDATE webhook SET isRemoved = 1 WHERE id = ? AND isRemoved = 0", .integer(id))
            guard removed > 0 else { throw Self.noWebhook(id) }
        }
    }

    /// Removed webhooks whose queues may still exist.
    package func removed() async throws -> [Webhook] {
        try await database.pool.read { db in
            try db.all(Webhook.select + " WHERE isRemoved = 1", read: Webhook.init(row:))
        }
    }

    /// Deletes a removed webhook, with its dead letters.
    package func forget(id: Int64) async throws {
        try await database.pool.write { db in
            _ = try db.run("DELETE FROM webhook WHERE id = ? AND isRemoved = 1", .integer(id))
        }
    }

    static func noWebhook(_ id: Int64) -> ServerError {
        ServerError(.notFound, "there is no webhook \(id); 'cumulus webhook list' shows them", .missing(.webhook))
    }
}
