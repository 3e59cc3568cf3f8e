import CloudStore
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Delivers the messages of one webhook, one at a time and in order, for as long as it runs.
struct WebhookCourier: Sendable {
    let webhook: Webhook
    let secret: WebhookSecret
    let store: any RecordStore
    let accounts: AccountStore
    let settings: WebhookSettings
    let addresses: WebhookAddresses
    let logger: Logger
    let clock: @Sendable () -> Date

    /// How the attempts of the message that is first in line have gone.
    private struct Attempts {
        var message: WebhookMessage.Key?
        var first = Date.distantPast
        var count = 0
        /// What came of the last one, until it is noted: a disk at fault is no reason to send again.
        var unnoted: (id: String, outcome: WebhookConnection.Outcome)?
    }

    /// Ends when it is cancelled or `listener` need not wait any more.
    func run(_ listener: NotificationListener) async {
        let connection = WebhookConnection(to: webhook.url, addresses: addresses, timeout: settings.timeout)
        var attempts = Attempts()
        while !Task.isCancelled {
            do {
                guard let message = try await next() else {
                    guard [.woken, .deadline].contains(await listener.wait(within: .hours(1))) else { break }
                    continue
                }
                if attempts.message != message.key { attempts = Attempts(message: message.key, first: clock()) }
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
            // Cut short rather than failed.
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
            try await Task.sleep(for: .seconds(delay))
        }
    }

    /// - Returns: whether the message needs no further attempt.
    private func note(
        _ outcome: WebhookConnection.Outcome, of message: WebhookMessage, _ attempts: Attempts
    ) async throws -> Bool {
        switch outcome {
        case .delivered: try await settle(message)
        case .gone: try await bury(message, "status 410", attempts)
        case .failed(let fault):
            if attempts.count < settings.attempts { return false }
            try await bury(message, fault, attempts)
        }
        return true
    }

    private func next() async throws -> WebhookMessage? {
        if let letter = try await accounts.nextRetriedLetter(of: webhook.id) { return .letter(letter) }
        return try await store.nextNotification(token: webhook.device).map { .queued($0, webhook: webhook.id) }
    }

    private func headers(of message: WebhookMessage) -> HTTPHeaders {
        WebhookSignature(
            id: message.id, timestamp: Int64(clock().timeIntervalSince1970), body: message.body, secret: secret
        ).headers
    }

    private func settle(_ message: WebhookMessage) async throws {
        switch message {
        case .queued(let notification, _): try await store.settle(notification, keeping: false)
        case .letter(let letter): try await accounts.deleteLetter(id: letter.id)
        }
    }

    private func bury(_ message: WebhookMessage, _ fault: String, _ attempts: Attempts) async throws {
        let failure = FailedDelivery(
            firstAttempt: attempts.first, lastAttempt: clock(), attempts: attempts.count, fault: fault)
        switch message {
        case .queued(let notification, _):
            // First the letter: a crash in between sends the message again, which its id tells the receiver.
            try await accounts.bury(
                message: message.id, body: message.body, of: webhook.id, failure, keeping: settings.deadLetters)
            try await store.settle(notification, keeping: false)
        case .letter(let letter):
            try await accounts.buryAgain(letter, failure)
        }
        logger.warning("a message to a webhook became a dead letter", metadata: metadata(fault))
    }

    private func metadata(_ fault: String) -> Logger.Metadata {
        ["webhook": "\(webhook.id)", "error": "\(fault)"]
    }
}
