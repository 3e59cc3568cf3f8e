package import CloudAccounts
import CloudModel
package import CloudStore

/// A message for a webhook: from its queue, or a dead letter to resend.
package enum WebhookMessage: Sendable {
    case queued(QueuedNotification, for: Webhook)
    case letter(DeadLetter)

    /// Identifies a message across its attempts; a coalesced message keeps its key.
    package enum Key: Hashable {
        case queued(Int64), letter(Int64)
    }

    package var key: Key {
        switch self {
        case .queued(let notification, _): .queued(notification.id)
        case .letter(let letter): .letter(letter.id)
        }
    }

    /// The message's id for the receiver, the same at every attempt. A coalesced message with a new revision gets a new
    /// id. The id includes the time, because a database restored from a backup repeats row ids.
    package var id: String {
        switch self {
        case .queued(let notification, let webhook):
            "\(webhook.id)-\(notification.created.milliseconds)-\(notification.id)-\(notification.revision)"
        case .letter(let letter): letter.message
        }
    }

    package var body: [UInt8] {
        switch self {
        case .queued(let notification, let webhook):
            webhook.carriesValues ? notification.body : NotificationMessage.withoutValues(notification.body)
        case .letter(let letter): letter.body
        }
    }
}
