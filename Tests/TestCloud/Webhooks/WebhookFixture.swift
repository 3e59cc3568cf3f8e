package import CloudAccounts
package import CloudEngine
import CloudHTTP
package import CloudWire
import CloudServer
import CloudModel
import Foundation
import Logging
import NIOCore
import Testing

extension WebhookSettings {
    /// Three attempts in no time, on this machine.
    package static var quick: WebhookSettings {
        var settings = WebhookSettings()
        settings.attempts = 3
        settings.firstDelay = .seconds(0.01)
        settings.longestDelay = .seconds(0.02)
        settings.allowPrivateAddresses = true
        return settings
    }
}

extension TestServer {
    package static func run(
        webhooks settings: WebhookSettings, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await run(configure: { $0.webhooks = settings }, body)
    }

    /// One server after another on the same folder.
    package static func run(
        webhooks settings: WebhookSettings, in folder: DataFolder, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.dev = true
        configuration.port = 0
        configuration.webhooks = settings
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let accounts = try AccountStore(folder: folder)
        let app = try buildApplication(
            configuration: configuration, pages: pages.get(), folder: folder, accounts: accounts, logger: logger)
        try await app.test(.router) { client in
            try await body(
                TestServer(client: client, accounts: accounts, folder: folder, responder: app.responder))
        }
    }

    /// Somebody who is told of every new note.
    package func subscriber() async throws -> App {
        let app = try await signIn("mei@example.com")
        try await app.save("seed")
        let answer = try await app.post(
            "private/subscriptions/modify",
            """
            {"operations": [{"operationType": "create", "subscription": {
                "subscriptionType": "query", "subscriptionID": "notes", "firesOn": ["create", "update"],
                "query": {"recordType": "Note"}}}]}
            """)
        #expect(answer["subscriptions.0.subscriptionID"] == "notes")
        return app
    }

    package func addWebhook(_ url: String) async throws -> (secret: WebhookSecret, webhook: Webhook) {
        try await accounts.webhooks.add(
            container: "iCloud.com.example.test", environment: .development, url: try WebhookURL(checking: url))
    }
}

extension App {
    /// Changes something again and again until a webhook has heard of it: it is taken up a moment after it was added.
    package func probe(_ receiver: Receiver, at path: String = "/in") async throws {
        try await until {
            try await save("probe")
            return await receiver.probes.contains(path)
        }
    }
}
