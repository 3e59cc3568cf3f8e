import CloudAccounts
package import CloudModel
import CloudStore

/// The log of recent notifications, and a test notification for trying a client.
package enum NotificationOperations {
    package static let list = AdminOperation<NotificationPage, Page<NotificationLogInfo>>(
        .get("notifications", .operations, inside: .environment),
        OperationText(
            "listNotifications", "The last notifications of the answering server, newest first.",
            "A server keeps the last 1,000 notifications queued or delivered since its start; each of several servers has its own."
        ),
        audit: .look("looked at notifications")
    ) { call, input in
        let (place, limit) = (try await call.place(input.place), Int(input.limit))
        let found =
            call.workplace.stores?.notifications.last(
                limit + 1, before: input.after,
                in: NotificationLog.EnvironmentKey(container: place.container.id, environment: place.environment)) ?? []
        return Page(
            items: found.prefix(limit).map { NotificationLogInfo($0.message) },
            next: found.count > limit ? String(found[limit - 1].number) : nil)
    }

    /// Sends a device a notification without a change.
    package static let sendTest = AdminOperation<DeviceChoice, TestNotificationInfo>(
        .post("devices/{id}/test", .operations, inside: .environment),
        OperationText(
            "sendTestNotification", "Send a device a notification without a change.",
            "It is silent and names the oldest subscription of the device's user; without a subscription it is refused."
        ),
        audit: .change("sent a device a test notification")
    ) { call, input in
        TestNotificationInfo(try await call.place(input.place).store.devices.sendTestNotification(to: input.id))
    }
}

package struct NotificationPage: OperationInput {
    package let place: EnvironmentAddress
    package let after: Int64?
    package let limit: Int64

    package static let fields = InputFields(
        Self.init, .group(\.place),
        .number("after", \.after, in: 1...Int.max, "The `next` of the page before."), .limit(\.limit))
}

package struct DeviceChoice: OperationInput {
    package let place: EnvironmentAddress
    package let id: Int64

    package static let fields = InputFields(
        Self.init, .group(\.place), .id(\.id, "Its id, as the list shows it."))
}

package struct NotificationLogInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminNotification", "A notification for a device or webhook, without values of fields.",
        [
            "userRecordName": "The recipient.",
            "clientID": "The client's own name.",
            "way": "The delivery channel: `poll`, `stream` or `webhook`.",
            "latency": "Milliseconds from queuing to delivery.",
            "fault": "The reason for a webhook's failure.",
        ])

    package enum State: String, CaseIterable, Codable, Sendable {
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
package struct TestNotificationInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        nil, "",
        [
            "subscriptionID": "The subscription named in the notification."
        ])

    package let userRecordName: String
    /// The subscription named in the notification.
    package let subscriptionID: String

    init(_ sent: SentTestNotification) {
        userRecordName = sent.userRecordName
        subscriptionID = sent.subscriptionID
    }
}
