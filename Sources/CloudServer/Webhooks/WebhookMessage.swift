import CloudModel
import CloudStore

/// A message on its way to a webhook: from its queue, or a dead letter that is sent again.
enum WebhookMessage: Sendable {
    case queued(QueuedNotification, for: Webhook)
    case letter(DeadLetter)

    /// Tells messages apart while they are tried; one that took another's place in the queue counts as the same.
    enum Key: Hashable {
        case queued(Int64), letter(Int64)
    }

    var key: Key {
        switch self {
        case .queued(let notification, _): .queued(notification.id)
        case .letter(let letter): .letter(letter.id)
        }
    }

    /// Names the message to its receiver, the same at every attempt. What took another's place is another message.
    /// With the time in it, because a database restored from a backup counts on from where that was made.
    var id: String {
        switch self {
        case .queued(let notification, let webhook):
            "\(webhook.id)-\(notification.created.milliseconds)-\(notification.id)-\(notification.revision)"
        case .letter(let letter): letter.message
        }
    }

    var body: [UInt8] {
        switch self {
        case .queued(let notification, let webhook):
            webhook.carriesValues ? notification.body : NotificationMessage.withoutValues(notification.body)
        case .letter(let letter): letter.body
        }
    }
}
