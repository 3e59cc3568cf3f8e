import CloudModel

/// A message for the devices of a user, in the transaction of the change it tells of.
struct Announcement {
    /// User record name.
    let user: String
    /// Names what one waiting message may stand for; nil for a message of its own.
    var collapse: String?
    /// True if the notification counts on the device's badge.
    var badges = false
    /// True if the notification says that others were pruned.
    var isPruned = false
    /// The subscription's, whose user pays for it; nil for what costs nobody anything.
    var message: SubscriptionMessage?
    /// The text, given the badge's number.
    let body: (_ badge: Int64) -> [UInt8]
}

extension WriteTransaction {
    /// Looks up the devices of all these users at once.
    func prefetchListeners(of users: [String]) throws {
        guard let context, !users.isEmpty else { return }
        try messages.listeners.prefetch(users, in: context, db)
    }

    /// Queues a message for each device of its user but those of the client whose request this is.
    ///
    /// - Returns: whether there was any that its user's budget had room for.
    @discardableResult
    func announce(_ announcement: Announcement) throws -> Bool {
        guard let context else { return false }
        try prefetchListeners(of: [announcement.user])
        var isTold = false
        for device in messages.listeners.of(announcement.user) {
            guard var listener = messages.listeners[device] else { continue }
            if let message = announcement.message {
                let isPaid = try charge(NotificationBudget.Cost.message, to: message.user, for: message)
                guard isPaid else { return isTold }
            }
            let message = try NotificationQueue.put(announcement, for: &listener, in: context, self)
            trace?.note(notifications: 1)
            listener.isPruned = listener.isPruned || announcement.isPruned
            messages.listeners[device] = listener
            messages.tell(listener, message)
            isTold = true
        }
        return isTold
    }
}
