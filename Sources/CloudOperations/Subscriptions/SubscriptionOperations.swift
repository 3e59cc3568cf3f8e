import CloudAccounts
package import CloudModel
import CloudStore

/// Subscriptions and their devices.
package enum SubscriptionOperations {
    package static let list = AdminOperation<NumberedEnvironmentPage, Page<SubscriptionInfo>>(
        .get("subscriptions", .recordsRead, inside: .environment),
        OperationText("listAllSubscriptions", "All subscriptions, oldest first."),
        audit: .look("looked at subscriptions")
    ) { call, input in
        let (place, limit) = (try await call.place(input.place), Int(input.page.limit))
        let found = try await place.store.browsing.subscriptions(after: input.page.after ?? 0, limit: limit + 1)
        return Page(try found.map(SubscriptionInfo.init), limit: limit) { String($0.id) }
    }

    /// Whether a subscription would fire for the creation, update or deletion of a record, judged by its current fields.
    package static let test = AdminOperation<SubscriptionTestChoice, SubscriptionTestInfo>(
        .get("subscriptions/{id}/test", .recordsRead, inside: .environment),
        OperationText(
            "testSubscription", "Whether a subscription would fire for a record, and the reason if not.",
            "No notification is sent."),
        audit: .look("tested a subscription on a record")
    ) { call, input in
        let records = try await RecordZone(input.zone.any, call)
        let answer = try await records.place.store.browsing.answer(
            SubscriptionTrial(
                subscription: input.id, name: input.recordName, zone: records.zone,
                reason: FiringReasons(name: input.change.rawValue) ?? []))
        return SubscriptionTestInfo(answer)
    }

    /// Registered push tokens, without their secret texts.
    package static let devices = AdminOperation<NumberedEnvironmentPage, Page<DeviceInfo>>(
        .get("devices", .recordsRead, inside: .environment),
        OperationText("listDevices", "The registered push tokens."), audit: .look("looked at devices")
    ) { call, input in
        let (place, limit) = (try await call.place(input.place), Int(input.page.limit))
        let found = try await place.store.browsing.devices(after: input.page.after ?? 0, limit: limit + 1)
        return Page(found.map(DeviceInfo.init), limit: limit) { String($0.id) }
    }
}

/// Names a subscription and the record change that tests it.
package struct SubscriptionTestChoice: OperationInput {
    package enum Change: String, CaseIterable, Sendable {
        case create, update, delete
    }

    package let id: Int64
    package let zone: ZoneChoice
    package let recordName: String
    package let change: Change

    package static let fields = InputFields(
        Self.init, .id(\.id, "Its id, as the list shows it."), .group(\.zone),
        .text("recordName", \.recordName, "The record, with its current fields."),
        .choice("change", \.change, or: .update, "The change of the record; update without."))
}

package struct SubscriptionInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminSubscription", "A subscription of a user.",
        [
            "subscription": "The dictionary in the form of API answers."
        ])

    package let id: Int64
    package let userRecordName: String
    package let database: String
    /// The dictionary in the form of API answers.
    package let subscription: JSONValue

    init(_ stored: StoredSubscription) throws {
        id = stored.id
        userRecordName = stored.userRecordName
        database = stored.scope.rawValue
        subscription = try JSONParser.parse(stored.body)
    }
}

package struct SubscriptionTestInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        nil, "",
        [
            "verdict": "A sentence, such as `No: stars 3 is not > 3.`"
        ])

    package let fires: Bool
    /// A sentence: yes, or no with the reason.
    package let verdict: String

    init(_ answer: SubscriptionTrial.Answer) {
        fires = answer.fires
        verdict = answer.obstacle.map { "No: \($0)." } ?? "Yes."
    }
}

package struct DeviceInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminDevice", "A registered push token, without its text.",
        [
            "queued": "The number of queued notifications."
        ])

    package let id: Int64
    package let userRecordName: String
    package let clientID: String?
    /// The number of queued notifications.
    package let queued: Int
    package let waitingSince: Timestamp?
    package let expires: Timestamp

    init(_ device: StoredDevice) {
        id = device.id
        userRecordName = device.userRecordName
        clientID = device.clientID
        queued = device.queued
        waitingSince = device.waitingSince
        expires = device.expires
    }
}
