package import CloudModel

/// A queued message for one device.
package struct QueuedNotification: Hashable, Sendable {
    /// The message's position: ascending and never reused.
    package let id: Int64
    /// The number of queued messages that this message has replaced.
    package let revision: Int64
    /// The time when it was queued.
    package let created: Timestamp
    /// True if the message was delivered before, and kept.
    package let isDelivered: Bool
    /// True if the notification says that earlier messages were dropped.
    package let isPruned: Bool
    /// The JSON object to send (reference B §7.5).
    package let body: [UInt8]
}

extension QueuedNotification {
    /// A message queued just now, with no dropped messages before it.
    init(_ message: LoggedNotification) {
        self.init(
            id: message.id, revision: message.revision, created: message.queued, isDelivered: false, isPruned: false,
            body: message.body)
    }
}

/// A message, as its reader identifies it.
package struct DeliveredMessage: Hashable, Sendable {
    package let id: Int64
    package let revision: Int64
    /// True if the notification said that earlier messages were dropped.
    package let isPruned: Bool

    package init(id: Int64, revision: Int64, isPruned: Bool) {
        self.id = id
        self.revision = revision
        self.isPruned = isPruned
    }
}
