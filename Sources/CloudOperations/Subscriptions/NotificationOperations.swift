package import CloudModel
import CloudStore

/// The log of recent notifications, and a test notification for trying a client.
package enum NotificationOperations {
    /// Recent notifications queued or delivered by the answering server, newest first.
    package static let list = AdminOperation<Page<NotificationLogInfo>>(
        .get, "{container}/{environment}/notifications", .operations, takes: ["after", "limit"],
        audit: .look("looked at notifications")
    ) { call in
        let (place, limit) = (try await call.place(), try call.arguments.limit())
        let after = try call.arguments.number("after", in: 1...Int64.max)
        let found =
            call.workplace.stores?.notifications.last(
                limit + 1, before: after,
                in: NotificationLog.Place(container: place.container.id, environment: place.environment)) ?? []
        return Page(
            items: found.prefix(limit).map { NotificationLogInfo($0.message) },
            next: found.count > limit ? String(found[limit - 1].number) : nil)
    }

    /// Sends a device a notification without a change.
    package static let sendTest = AdminOperation<TestNotificationInfo>(
        .post, "{container}/{environment}/devices/{id}/test", .operations,
        audit: .change("sent a device a test notification")
    ) { call in
        let (place, device) = (try await call.place(), try call.arguments.id())
        return TestNotificationInfo(try await place.store.devices.sendTestNotification(to: device))
    }
}

package struct NotificationLogInfo: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        case queued, delivered, failed
    }

    package let id: Int64
    /// The recipient.
    package let userRecordName: String
    /// The client's own name.
    package let clientID: String?
    package let webhook: Int64?
    package let kind: NotificationSubject.Kind?
    package let subscriptionID: String?
    package let recordName: String?
    package let zone: String?
    package let database: String?
    package let queued: Timestamp
    package let state: State
    /// The delivery channel: `poll`, `stream` or `webhook`.
    package let way: String?
    /// Milliseconds from queuing to delivery.
    package let latency: Int64?
    /// The reason for a webhook's failure.
    package let fault: String?

    init(_ notification: LoggedNotification) {
        let subject = notification.subject
        id = notification.id
        userRecordName = subject.user
        (clientID, webhook) =
            switch notification.recipient {
            case .device(let name): (name, nil)
            case .webhook(let id): (nil, id)
            }
        kind = subject.kind
        subscriptionID = subject.subscription
        recordName = subject.recordName
        zone = subject.zone
        database = subject.database?.rawValue
        queued = notification.queued
        (state, way, latency, fault) =
            switch notification.fate {
            case .queued: (.queued, nil, nil, nil)
            case .delivered(let way, let time):
                (.delivered, way.rawValue, max(0, time.milliseconds - notification.queued.milliseconds), nil)
            case .failed(let fault): (.failed, nil, nil, fault)
            }
    }
}

/// A test notification, queued for its device.
package struct TestNotificationInfo: Codable, Hashable, Sendable {
    package let userRecordName: String
    /// The subscription named in the notification.
    package let subscriptionID: String

    init(_ sent: SentTestNotification) {
        userRecordName = sent.userRecordName
        subscriptionID = sent.subscriptionID
    }
}
