package import CloudModel

/// A message for one device or webhook, with the fate known to this server.
package struct LoggedNotification: Sendable {
    package enum Recipient: Hashable, Sendable {
        /// A device, with the client's own name.
        case device(clientID: String?)
        case webhook(Int64)
    }

    package enum Fate: Hashable, Sendable {
        case queued
        case delivered(DeliveryWay, Timestamp)
        /// The last attempt to post to a webhook failed.
        case failed(String)
    }

    /// The message's number in the queues of its environment.
    package let id: Int64
    /// The number of messages that this message has replaced in the queue.
    package let revision: Int64
    package let recipient: Recipient
    package let queued: Timestamp
    package internal(set) var fate = Fate.queued
    /// The message's JSON. Show only names from it, since it may hold record fields.
    let body: [UInt8]

    /// - Parameter notification: read from its queue.
    package init(_ notification: QueuedNotification, for recipient: Recipient) {
        self.init(
            id: notification.id, revision: notification.revision, recipient: recipient, queued: notification.created,
            body: notification.body)
    }

    init(id: Int64, revision: Int64, recipient: Recipient, queued: Timestamp, body: [UInt8]) {
        self.id = id
        self.revision = revision
        self.recipient = recipient
        self.queued = queued
        self.body = body
    }

    package var subject: NotificationSubject { NotificationSubject(of: body) }
}

/// Ways to deliver a message.
package enum DeliveryWay: String, CaseIterable, Sendable {
    case poll, stream, webhook
}
