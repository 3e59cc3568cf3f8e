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
    /// The text that it shares with messages for other users; nil where there are none, or each has another.
    var text: SharedText?
    /// The text, given the badge's number.
    let body: (_ badge: Int64) -> [UInt8]
}

extension WriteTransaction {
    /// Looks up the devices of all these users at once.
    func prefetchListeners(of users: [String]) throws {
        guard let context, !users.isEmpty else { return }
        let devices = try messages.listeners.prefetch(users, in: context, db)
        for device in try CrowdMessages.settle(devices, db) { messages.listeners.noteQueued(device) }
    }

    /// Queues a message for each device of its user but those of the client whose request this is.
    ///
    /// - Returns: whether there was any that its user's budget had room for.
    @discardableResult
    func announce(_ announcement: Announcement) throws -> Bool {
        guard let context else { return false }
        try prefetchListeners(of: [announcement.user])
        let text = announcement.text?.frame.text(for: announcement.user)
        // Of those without a badge all devices get the same.
        var body = text
        var isTold = false
        for device in messages.listeners.of(announcement.user) {
            guard var listener = messages.listeners[device] else { continue }
            if let message = announcement.message {
                let isPaid = try charge(NotificationBudget.Cost.message, to: message.user, for: message)
                guard isPaid else { return isTold }
            }
            let own = body ?? announcement.body(listener.badge + 1)
            if !announcement.badges { body = own }
            let message: LoggedNotification
            if text != nil, let entry = try crowdEntry(announcement, own, for: listener, in: context) {
                message = entry.message
                listener.queued += 1
                messages.join(entry)
            } else {
                try messages.leaveCrowd(device, db)
                message = try NotificationQueue.put(announcement, own, for: &listener, in: context, self)
            }
            trace?.note(notifications: 1)
            listener.isPruned = listener.isPruned || announcement.isPruned
            messages.listeners[device] = listener
            messages.tell(listener, message)
            isTold = true
        }
        return isTold
    }

    /// A message for a device that has no other; nil for one that is queued for the device alone.
    private func crowdEntry(
        _ announcement: Announcement, _ body: [UInt8], for listener: DeviceTable.Listener, in context: WriteContext
    ) throws -> CrowdMessages.Entry? {
        guard let text = announcement.text, announcement.collapse == nil, !announcement.isPruned, listener.queued == 0,
            !listener.isPruned, !listener.isWebhook, listener.user == announcement.user, context.mostQueued > 0
        else { return nil }
        let message = LoggedNotification(
            id: try nextID(in: .notifications), revision: 0, recipient: listener.recipient, queued: context.now,
            body: body)
        return CrowdMessages.Entry(for: listener, message, text)
    }
}
