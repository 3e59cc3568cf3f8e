package import CloudModel

/// A message for one device or webhook, as far as this server has seen it.
package struct LoggedNotification: Sendable {
    package enum Recipient: Hashable, Sendable {
        /// With the name that the client gives itself.
        case device(clientID: String?)
        case webhook(Int64)
    }

    package enum Fate: Hashable, Sendable {
        case queued
        case delivered(DeliveryWay, Timestamp)
        /// The last attempt to post it to a webhook has failed.
        case failed(String)
    }

    /// Its number in the queues of its environment.
    package let id: Int64
    /// Counts the messages that it took the place of while it waited.
    package let revision: Int64
    package let recipient: Recipient
    package let queued: Timestamp
    package internal(set) var fate = Fate.queued
    /// As it is sent. Only its names are to be shown.
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

/// The ways in which a message reaches its reader.
package enum DeliveryWay: String, CaseIterable, Sendable {
    case poll, stream, webhook
}
