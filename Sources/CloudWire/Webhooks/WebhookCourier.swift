import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Delivers the messages of one webhook in order, one at a time.
struct WebhookCourier: Sendable {
    let webhook: Webhook
    let secret: WebhookSecret
    /// Opens the webhook's environment, which may close while the queue is empty.
    let open: @Sendable () async throws -> EnvironmentStore
    /// The webhook's environment if it is open; checking does not delay its closing.
    let ifOpen: @Sendable () -> EnvironmentStore?
    let accounts: AccountStore
    let settings: WebhookSettings
    let addresses: WebhookAddresses
    let metrics: ServerMetrics
    let notifications: NotificationLog
    let logger: Logger
    /// A jump of this clock ends the pause before the next attempt.
    let clock: SettableClock
    private let rest = CourierRest()

    /// The attempts for the first message in the queue.
    private struct Attempts {
        var message: WebhookMessage.Key?
        var first = Timestamp.min
        var count = 0
        /// The last outcome until it is stored; a disk error must not cause a second delivery.
        var unnoted: (id: String, outcome: WebhookConnection.Outcome)?
    }

    /// Runs until cancelled or until `listener` stops waiting.
    func run(_ listener: NotificationListener) async {
        let connection = WebhookConnection(to: webhook.url, addresses: addresses, timeout: settings.timeout)
        var attempts = Attempts()
        while !Task.isCancelled {
            do {
                guard let message = try await next() else {
                    rest.begin()
                    let ending = await listener.wait(within: .hours(1))
                    rest.end()
                    guard ending.mayGoOn else { break }
                    continue
                }
                if attempts.message != message.key { attempts = Attempts(message: message.key, first: accounts.now()) }
                try await attempt(message, over: connection, &attempts)
            } catch is CancellationError {
                break
            } catch {
                logger.warning("what became of a webhook's message cannot be noted", metadata: metadata("\(error)"))
                try? await Task.sleep(for: .seconds(1))
            }
        }
        await connection.close()
    }

    private func attempt(
        _ message: WebhookMessage, over connection: WebhookConnection, _ attempts: inout Attempts
    ) async throws {
        if attempts.unnoted?.id != message.id {
            let outcome = await connection.post(message.body, headers: headers(of: message), attempt: attempts.count)
            // A cancelled attempt is not a failure.
            if outcome != .delivered { try Task.checkCancellation() }
            attempts.count += 1
            attempts.unnoted = (message.id, outcome)
        }
        guard let outcome = attempts.unnoted?.outcome else { return }
        if try await note(outcome, of: message, attempts) {
            attempts = Attempts()
        } else {
            attempts.unnoted = nil
            let delay = settings.delay(after: attempts.count, chance: .random(in: 0...1))
            try await clock.sleep(for: delay, since: clock.jumps)
        }
    }

    /// - Returns: true if the message needs no further attempt.
    private func note(
        _ outcome: WebhookConnection.Outcome, of message: WebhookMessage, _ attempts: Attempts
    ) async throws -> Bool {
        switch outcome {
        case .delivered:
            try await acknowledge(message)
            if case .queued(let notification, _) = message {
                metrics.delivered(.webhook, after: accounts.now() - notification.created)
            }
            log(.delivered(.webhook, accounts.now()), of: message)
        case .gone:
            log(.failed("status 410"), of: message)
            try await bury(message, "status 410", attempts)
        case .failed(let fault):
            log(.failed(fault), of: message)
            if attempts.count < settings.attempts { return false }
            try await bury(message, fault, attempts)
        }
        return true
    }

    private func log(_ fate: LoggedNotification.Fate, of message: WebhookMessage) {
        guard case .queued(let notification, _) = message else { return }
        notifications.record(
            fate, of: LoggedNotification(notification, for: .webhook(webhook.id)),
            in: NotificationLog.EnvironmentKey(container: webhook.container, environment: webhook.environment))
    }

    private func next() async throws -> WebhookMessage? {
        if let letter = try await accounts.webhooks.deadLetters.nextRetried(of: webhook.id) { return .letter(letter) }
        return try await open().notifications.next(token: webhook.device).map { .queued($0, for: webhook) }
    }

    private func headers(of message: WebhookMessage) -> HTTPHeaders {
        WebhookSignature(
            id: message.id, timestamp: accounts.now(), body: message.body, secret: secret
        ).headers
    }

    private func acknowledge(_ message: WebhookMessage) async throws {
        switch message {
        case .queued(let notification, _): try await open().notifications.acknowledge([notification], keeping: false)
        case .letter(let letter): try await accounts.webhooks.deadLetters.delete(id: letter.id)
        }
    }

    private func bury(_ message: WebhookMessage, _ fault: String, _ attempts: Attempts) async throws {
        let failure = FailedDelivery(
            firstAttempt: attempts.first, lastAttempt: accounts.now(), attempts: attempts.count, fault: fault)
        switch message {
        case .queued(let notification, _):
            // The dead letter is written first: after a crash in between, the message is sent again with the same id.
            try await accounts.webhooks.deadLetters.bury(
                [(message.id, message.body)], of: webhook.id, failure, keeping: settings.deadLetters)
            try await open().notifications.acknowledge([notification], keeping: false)
        case .letter(let letter):
            try await accounts.webhooks.deadLetters.buryAgain(letter, failure)
        }
        metrics.died(1)
        logger.warning("a message to a webhook became a dead letter", metadata: metadata(fault))
    }

    /// Turns messages pushed out of the queue into dead letters, until cancelled.
    func buryPushedOut() async {
        var logger = logger
        logger[metadataKey: "webhook"] = "\(webhook.id)"
        let job = PeriodicJob(
            every: Self.pause, after: .zero, failure: "what was pushed out cannot be kept", logger: logger)
        var isFirst = true
        await job.run(rest: { await rest.ended() }) {
            // The first run opens the environment to collect leftovers of an earlier server process. Later runs need
            // only an open environment, because a closed one pushes nothing out.
            let store = isFirst ? try? await open() : ifOpen()
            isFirst = false
            while !Task.isCancelled,
                let messages = try await store?.notifications.pushedOut(token: webhook.device, limit: Self.mostAtOnce),
                let last = messages.last
            {
                try await bury(messages, through: last.id)
            }
        }
    }

    private static let mostAtOnce = 500
    /// The polling interval.
    private static let pause = Duration.milliseconds(500)

    private func bury(_ messages: [QueuedNotification], through id: Int64) async throws {
        let now = accounts.now()
        let fault = "pushed out of the queue by newer messages (limit.notificationsPerWebhook)"
        // The dead letters are written first: a crash in between repeats this step, which is idempotent.
        try await accounts.webhooks.deadLetters.bury(
            messages.map { WebhookMessage.queued($0, for: webhook) }.map { ($0.id, $0.body) }, of: webhook.id,
            FailedDelivery(firstAttempt: now, lastAttempt: now, attempts: 0, fault: fault),
            keeping: settings.deadLetters)
        try await open().notifications.forgetPushedOut(token: webhook.device, through: id)
        metrics.died(messages.count)
        logger.warning("\(messages.count) messages to a webhook became dead letters", metadata: metadata(fault))
    }

    private func metadata(_ fault: String) -> Logger.Metadata {
        ["webhook": "\(webhook.id)", "error": "\(fault)"]
    }
}
