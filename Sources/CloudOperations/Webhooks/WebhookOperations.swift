import CloudAccounts
package import CloudModel

/// Operations on webhooks, which receive notifications by HTTP.
package enum WebhookOperations {
    package static let list = AdminOperation<ContainerPage, Page<WebhookInfo>>(
        .get("webhooks", .operations), OperationText("listWebhooks", "The webhooks.")
    ) { call, input in
        let webhooks = try await call.accounts.webhooks.list(container: input.container)
        return try input.page.page(of: webhooks.map { WebhookInfo($0) }) {
            ListPlace($0.container, ListPlace.number($0.id))
        }
    }

    /// Sends all notifications of an environment to a URL. Only this answer contains the signing secret. Messages contain
    /// record values only if the operator may read records.
    package static let add = AdminOperation<NewWebhook, WebhookInfo>(
        .post("webhooks", .operations),
        OperationText(
            "addWebhook", "Send all notifications of an environment to a URL.",
            "Messages contain record values only with records:read."),
        audit: .change("added a webhook")
    ) { call, input in
        let url = try WebhookURL(checking: input.url)
        let doubt = try await call.workplace.webhookDoubt(url.host)
        let (secret, webhook) = try await call.accounts.webhooks.add(
            container: input.place.container, environment: input.place.environment, url: url,
            carriesValues: call.identity.scopes.contains(.recordsRead), maker: call.identity.maker)
        return WebhookInfo(webhook, secret: secret.text, doubt: doubt)
    }

    package static let remove = AdminOperation<RowChoice, Done>(
        .delete("webhooks/{id}", .operations),
        OperationText("removeWebhook", "Send nothing more to a webhook, and drop its queued messages."),
        audit: .change("removed a webhook")
    ) { call, input in
        try await call.accounts.webhooks.remove(id: input.id)
        return Done()
    }

    package static let deadLetters = AdminOperation<DeadLetterPage, Page<DeadLetterInfo>>(
        .get("dead-letters", .operations),
        OperationText(
            "listDeadLetters", "Messages that webhooks did not take, oldest first.",
            "`body` is present only with records:read."),
        audit: .look("looked at dead letters")
    ) { call, input in
        let limit = Int(input.page.limit)
        let letters = try await call.accounts.webhooks.deadLetters.list(
            of: input.webhook, after: input.page.after ?? 0, limit: limit + 1)
        let mayRead = call.identity.scopes.contains(.recordsRead)
        return Page(letters.map { DeadLetterInfo($0, hasBody: mayRead) }, limit: limit) { String($0.id) }
    }

    package static let retry = AdminOperation<WebhookChoice, Count>(
        .post("dead-letters/retry", .operations),
        OperationText("retryDeadLetters", "Send dead letters again, before newer messages."),
        audit: .change("sent dead letters again")
    ) { call, input in Count(count: try await call.accounts.webhooks.deadLetters.retry(of: input.webhook)) }

    package static let clear = AdminOperation<WebhookChoice, Count>(
        .delete("dead-letters", .operations), OperationText("clearDeadLetters", "Drop dead letters."),
        audit: .change("dropped dead letters")
    ) { call, input in Count(count: try await call.accounts.webhooks.deadLetters.clear(of: input.webhook)) }
}

package struct NewWebhook: OperationInput {
    package let place: EnvironmentAddress
    package let url: String

    package static let fields = InputFields(
        Self.init, .group(\.place), .text("url", \.url, "An http or https URL to send notifications to."))
}

/// A webhook; nil for all webhooks.
package struct WebhookChoice: OperationInput {
    package let webhook: Int64?

    package static let fields = InputFields(
        Self.init, .number("webhook", \.webhook, in: 1...Int.max, "Only those of this webhook."))
}

package struct DeadLetterPage: OperationInput {
    package let webhook: Int64?
    package let page: NumberedPage

    package static let fields = InputFields(
        Self.init, .number("webhook", \.webhook, in: 1...Int.max, "Only those of this webhook."), .group(\.page))
}

package struct WebhookInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminWebhook", "A webhook.",
        [
            "secret": "The secret, present only in the creating answer.",
            "carriesValues": "Whether messages contain record values.",
            "isInForce": "Whether the running server queues messages for the webhook.",
            "doubt": "The doubt about the host, present only in the creating answer.",
        ])

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

package struct DeadLetterInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminDeadLetter", "A message that a webhook did not take.",
        [
            "body": "The message exactly as signed; left out without the scope records:read."
        ])

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
