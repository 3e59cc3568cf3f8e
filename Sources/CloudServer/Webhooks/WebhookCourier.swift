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
        let message: WebhookMessage.Key
        let first: Date
        var count = 0
    }

    /// Ends when it is cancelled or `listener` need not wait any more.
    func run(_ listener: NotificationListener) async {
        let connection = WebhookConnection(to: webhook.url, addresses: addresses, timeout: settings.timeout)
        var attempts: Attempts?
        while !Task.isCancelled {
            do {
                guard let message = try await next() else {
                    guard [.woken, .deadline].contains(await listener.wait(within: .hours(1))) else { break }
                    continue
                }
                if attempts?.message != message.key { attempts = Attempts(message: message.key, first: clock()) }
                let number = attempts?.count ?? 0
                let outcome = await connection.post(message.body, headers: headers(of: message), attempt: number)
                if Task.isCancelled, outcome != .delivered { break }
                attempts?.count += 1
                try await finish(message, outcome, &attempts)
            } catch is CancellationError {
                break
            } catch {
                // A disk at fault, or a container deleted a moment ago: what was not noted is done again.
                logger.warning("a webhook's messages cannot be read", metadata: metadata("\(error)"))
                try? await Task.sleep(for: .seconds(1))
            }
        }
        await connection.close()
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

    private func finish(
        _ message: WebhookMessage, _ outcome: WebhookConnection.Outcome, _ attempts: inout Attempts?
    ) async throws {
        let failed = attempts?.count ?? 1
        switch outcome {
        case .delivered:
            try await settle(message)
        case .gone:
            try await bury(message, "status 410", attempts)
        case .failed(let fault) where failed >= settings.attempts:
            try await bury(message, fault, attempts)
        case .failed:
            try await Task.sleep(for: .seconds(settings.delay(after: failed, chance: .random(in: 0...1))))
            return
        }
        attempts = nil
    }

    private func settle(_ message: WebhookMessage) async throws {
        switch message {
        case .queued(let notification, _): try await store.settle(notification, keeping: false)
        case .letter(let letter): try await accounts.deleteLetter(id: letter.id)
        }
    }

    private func bury(_ message: WebhookMessage, _ fault: String, _ attempts: Attempts?) async throws {
        let now = clock()
        let failure = FailedDelivery(
            firstAttempt: attempts?.first ?? now, lastAttempt: now, attempts: attempts?.count ?? 1, fault: fault)
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
