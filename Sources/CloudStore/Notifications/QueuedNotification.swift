package import CloudModel

/// A message for one device, as its queue holds it.
package struct QueuedNotification: Hashable, Sendable {
    /// Its place: later ones have greater numbers, and none is used twice.
    package let id: Int64
    /// Counts the messages that it took the place of since it was queued.
    package let revision: Int64
    /// The time when it was queued.
    package let created: Timestamp
    /// Whether it has arrived before, and was kept.
    package let isDelivered: Bool
    /// Whether it carries the mark that others were dropped before it.
    package let isPruned: Bool
    /// The JSON object to send (reference B §7.5).
    package let body: [UInt8]
}

/// A message as its reader names it.
package struct DeliveredPlace: Hashable, Sendable {
    package let id: Int64
    package let revision: Int64
    /// Whether it carried the mark that others were dropped.
    package let isPruned: Bool

    package init(id: Int64, revision: Int64, isPruned: Bool) {
        self.id = id
        self.revision = revision
        self.isPruned = isPruned
    }
}
