package import CloudModel
import CloudStore

/// Operations on webhooks, which receive notifications by HTTP.
package enum WebhookOperations {
    package static let list = AdminOperation<Page<WebhookInfo>>(
        .get, "webhooks", .operations, takes: ["container", "after", "limit"]
    ) { call in
        let webhooks = try await call.accounts.webhooks.list(container: try call.arguments.optionalText("container"))
        return try call.arguments.page(of: webhooks.map { WebhookInfo($0) }) {
            ListPlace($0.container, ListPlace.number($0.id))
        }
    }

    /// Sends all notifications of an environment to a URL. Only this answer contains the signing secret. Messages contain
    /// record values only if the operator may read records.
    package static let add = AdminOperation<WebhookInfo>(
        .post, "webhooks", .operations, takes: ["container", "environment", "url"],
        audit: .change("added a webhook")
    ) { call in
        let arguments = call.arguments
        let url = try WebhookURL(checking: try arguments.text("url"))
        let doubt = try await call.workplace.webhookDoubt(url.host)
        let (secret, webhook) = try await call.accounts.webhooks.add(
            container: try arguments.text("container"), environment: try arguments.environment(), url: url,
            carriesValues: call.identity.scopes.contains(.recordsRead), maker: call.identity.maker)
        return WebhookInfo(webhook, secret: secret.text, doubt: doubt)
    }

    package static let remove = AdminOperation<Done>(
        .delete, "webhooks/{id}", .operations, audit: .change("removed a webhook")
    ) { call in
        try await call.accounts.webhooks.remove(id: try call.arguments.id())
        return Done()
    }

    package static let deadLetters = AdminOperation<Page<DeadLetterInfo>>(
        .get, "dead-letters", .operations, takes: ["webhook", "after", "limit"],
        audit: .look("looked at dead letters")
    ) { call in
        let limit = try call.arguments.limit()
        let letters = try await call.accounts.deadLetters.list(
            of: try webhook(call), after: try call.arguments.number("after", in: 0...Int64.max) ?? 0, limit: limit + 1)
        let mayRead = call.identity.scopes.contains(.recordsRead)
        return Page(letters.map { DeadLetterInfo($0, hasBody: mayRead) }, limit: limit) { String($0.id) }
    }

    package static let retry = AdminOperation<Count>(
        .post, "dead-letters/retry", .operations, takes: ["webhook"], audit: .change("sent dead letters again")
    ) { Count(count: try await $0.accounts.deadLetters.retry(of: try webhook($0))) }

    package static let clear = AdminOperation<Count>(
        .delete, "dead-letters", .operations, takes: ["webhook"], audit: .change("dropped dead letters")
    ) { Count(count: try await $0.accounts.deadLetters.clear(of: try webhook($0))) }

    private static func webhook(_ call: OperationCall) throws(ServerError) -> Int64? {
        try call.arguments.number("webhook", in: 1...Int64.max)
    }
}

package struct WebhookInfo: Codable, Hashable, Sendable {
    package let id: Int64
    /// The secret, present only in the creating answer.
    package let secret: String?
    package let container: String
    package let environment: ContainerEnvironment
    package let url: String
    /// Whether messages contain record values.
    package let carriesValues: Bool
    package let deadLetters: Int
    package let created: Timestamp
    /// Whether the running server queues messages for the webhook.
    package let isInForce: Bool
    /// The doubt about the host, present only in the creating answer.
    package let doubt: String?

    init(_ webhook: Webhook, secret: String? = nil, doubt: String? = nil) {
        id = webhook.id
        self.secret = secret
        container = webhook.containerName
        environment = webhook.environment
        url = webhook.url.text
        carriesValues = webhook.carriesValues
        deadLetters = webhook.deadLetters
        created = webhook.created
        isInForce = webhook.isInForce
        self.doubt = doubt
    }
}

package struct DeadLetterInfo: Codable, Hashable, Sendable {
    package let id: Int64
    package let webhook: Int64
    package let message: String
    package let firstAttempt: Timestamp
    package let lastAttempt: Timestamp
    package let attempts: Int
    package let isRetried: Bool
    package let fault: String
    /// The message exactly as signed; nil for operators without the scope to read records.
    package let body: String?

    init(_ letter: DeadLetter, hasBody: Bool) {
        id = letter.id
        webhook = letter.webhook
        message = letter.message
        firstAttempt = letter.firstAttempt
        lastAttempt = letter.lastAttempt
        attempts = letter.attempts
        isRetried = letter.isRetried
        fault = letter.fault
        body = hasBody ? String(decoding: letter.body, as: UTF8.self) : nil
    }
}
