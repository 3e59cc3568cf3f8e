import CloudModel

/// A message for a user's devices, queued in the transaction of the change.
struct Announcement {
    /// User record name.
    let user: String
    /// The collapse key, by which queued messages replace each other; nil for a message of its own.
    var collapse: String?
    /// True if the notification counts on the device's badge.
    var badges = false
    /// True if the notification says that other messages were pruned.
    var isPruned = false
    /// The subscription's message, whose user is charged; nil for a free message.
    var message: SubscriptionMessage?
    /// The text shared with messages for other users; nil for an individual text.
    var text: SharedText?
    /// Makes the text for a badge number.
    let body: (_ badge: Int64) -> [UInt8]
}

extension WriteTransaction {
    var announcer: Announcer { Announcer(transaction: self) }
}

/// Queues messages for users' devices in the transaction of a change.
struct Announcer {
    let transaction: WriteTransaction
    private var messages: MessagePart { transaction.messages }

    /// Looks up the users' devices with one statement.
    func prefetchListeners(of users: [String]) throws {
        guard let context = transaction.context, !users.isEmpty else { return }
        let devices = try messages.listeners.prefetch(users, in: context, transaction.db)
        for device in try CrowdMessages.settle(devices, transaction.db) { messages.listeners.countQueued(device) }
    }

    /// Queues a message for each device of the user except the requesting client's.
    ///
    /// - Returns: whether any message was queued within the user's budget.
    @discardableResult
    func announce(_ announcement: Announcement) throws -> Bool {
        guard let context = transaction.context else { return false }
        let messages = messages
        try prefetchListeners(of: [announcement.user])
        let text = announcement.text?.frame.text(for: announcement.user)
        // Texts without a badge are the same for all devices.
        var body = text
        var isTold = false
        for device in messages.listeners.of(announcement.user) {
            guard var listener = messages.listeners[device] else { continue }
            if let message = announcement.message {
                let isPaid = try transaction.charges.charge(
                    NotificationBudget.Cost.message, to: message.user, for: message)
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
                try messages.leaveCrowd(device, transaction.db)
                message = try NotificationQueue.put(announcement, own, for: &listener, in: context, transaction)
            }
            transaction.trace?.note(notifications: 1)
            listener.isPruned = listener.isPruned || announcement.isPruned
            messages.listeners[device] = listener
            messages.tell(listener, message)
            isTold = true
        }
        return isTold
    }

    /// Makes a shared message for a device with an empty queue; nil for a message that needs its own row.
    private func crowdEntry(
        _ announcement: Announcement, _ body: [UInt8], for listener: DeviceTable.Listener, in context: WriteContext
    ) throws -> CrowdMessages.Entry? {
        guard let text = announcement.text, announcement.collapse == nil, !announcement.isPruned, listener.queued == 0,
            !listener.isPruned, !listener.isWebhook, listener.user == announcement.user, context.mostQueued > 0
        else { return nil }
        let message = LoggedNotification(
            id: try transaction.nextID(in: .notifications), revision: 0, recipient: listener.recipient,
            queued: context.now,
            body: body)
        return CrowdMessages.Entry(for: listener, message, text)
    }
}
