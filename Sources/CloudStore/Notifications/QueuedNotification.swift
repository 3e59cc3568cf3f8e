package import CloudModel

/// A message for one device, as its queue holds it.
package struct QueuedNotification: Hashable, Sendable {
    /// Its place: later ones have greater numbers, and none is used twice.
    package let id: Int64
    /// Counts the messages that it took the place of since it was queued.
    package let revision: Int64
    /// The time when it was queued.
    package let created: Timestamp
    /// True if the notification has been delivered before, and was kept.
    package let isDelivered: Bool
    /// True if the notification says that others were dropped before it.
    package let isPruned: Bool
    /// The JSON object to send (reference B §7.5).
    package let body: [UInt8]
}

extension QueuedNotification {
    /// A message that was queued just now, after nothing that was dropped.
    init(_ message: LoggedNotification) {
        self.init(
            id: message.id, revision: message.revision, created: message.queued, isDelivered: false, isPruned: false,
            body: message.body)
    }
}

/// A message as its reader names it.
package struct DeliveredMessage: Hashable, Sendable {
    package let id: Int64
    package let revision: Int64
    /// True if the notification said that others were dropped.
    package let isPruned: Bool

    package init(id: Int64, revision: Int64, isPruned: Bool) {
        self.id = id
        self.revision = revision
        self.isPruned = isPruned
    }
}
