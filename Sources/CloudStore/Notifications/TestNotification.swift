import CloudModel
import CloudSQL

/// A message without a change, for developers to see that their client receives notifications.
struct TestNotification {
    /// The device's row.
    let device: Int64

    /// Queues the test message for this device only.
    ///
    /// - Throws: `NOT_FOUND` for an unknown device, `BAD_REQUEST` if its user has no subscription.
    func run(_ transaction: WriteTransaction, now: Timestamp) throws -> SentTestNotification {
        _ = try CrowdMessages.settle([device], transaction.db)
        guard let context = transaction.context,
            var listener = try DeviceTable.listener(id: device, now: now, transaction.db)
        else {
            throw ServerError(.notFound, "there is no such device, or its push token has expired", .missing(.token))
        }
        let user = listener.user
        guard let message = try message(for: user, transaction) else {
            throw ServerError.badRequest(
                "user '\(Naming.shown(user))' has no subscription here, and a notification names one")
        }
        let announcement = Announcement(user: user, body: message.text(badge:))
        let queued = try NotificationQueue.put(
            announcement, message.text(badge: listener.badge + 1), for: &listener, in: context, transaction)
        try DeviceTable.update(listener, transaction.db)
        transaction.messages.tell(listener, queued)
        return SentTestNotification(userRecordName: user, subscriptionID: message.subscription)
    }

    /// A silent message of the user's oldest subscription, without a record.
    private func message(for user: String, _ transaction: WriteTransaction) throws -> SubscriptionMessage? {
        let found = try transaction.db.first(
            "SELECT scope, name, kind, zone FROM subscriptions WHERE \"user\" = ? ORDER BY id LIMIT 1", .text(user)
        ) {
            (
                scope: $0.integer(0), name: $0.text(1), kind: SubscriptionKind(rawValue: $0.integer(2)),
                zone: $0.integer(3)
            )
        }
        guard let found else { return nil }
        let scope = DatabaseScope.allCases.first { $0.number == found.scope } ?? .private
        let owner = scope == .public ? ZoneID.publicOwner : user
        let zone =
            try ZoneTable.find(id: found.zone, transaction.db) ?? ZoneID(name: ZoneID.defaultName, owner: owner)
        let subject: SubscriptionMessage.Subject =
            switch found.kind {
            case .query: .records(in: zone)
            case .zone: .zone(zone)
            case .database, nil: .database(of: user)
            }
        return SubscriptionMessage(
            container: transaction.subscribers.container, user: user, scope: scope, subscription: found.name,
            id: RandomUUID.make(), subject: subject, info: NotificationInfo())
    }
}

/// A queued test message.
package struct SentTestNotification: Hashable, Sendable {
    /// The user whose device gets the message.
    package let userRecordName: String
    /// The subscription named in the message.
    package let subscriptionID: String
}
