package import CloudModel
import CloudStore

/// Subscriptions and their devices.
package enum SubscriptionOperations {
    package static let list = AdminOperation<Page<SubscriptionInfo>>(
        .get, "{container}/{environment}/subscriptions", .recordsRead, takes: ["after", "limit"],
        audit: .look("looked at subscriptions")
    ) { call in
        let (place, limit) = (try await call.place(), try call.arguments.limit())
        let found = try await place.store.browsing.subscriptions(after: try after(call), limit: limit + 1)
        return Page(try found.map(SubscriptionInfo.init), limit: limit) { String($0.id) }
    }

    /// Whether a subscription would fire for the creation, update or deletion of a record, judged by its current fields.
    package static let test = AdminOperation<SubscriptionTestInfo>(
        .get, "{container}/{environment}/subscriptions/{id}/test", .recordsRead,
        takes: ["user", "zone", "recordName", "change"], audit: .look("tested a subscription on a record")
    ) { call in
        let records = try await RecordZone(call)
        let text = try call.arguments.optionalText("change") ?? "update"
        guard let reason = FiringReasons(name: text) else {
            throw ServerError.badRequest("change must be create, update or delete, not '\(Naming.shown(text))'")
        }
        let answer = try await records.place.store.browsing.answer(
            SubscriptionTrial(
                subscription: try call.arguments.id(), name: try call.arguments.text("recordName"), zone: records.zone,
                reason: reason))
        return SubscriptionTestInfo(answer)
    }

    /// Registered push tokens, without their secret texts.
    package static let devices = AdminOperation<Page<DeviceInfo>>(
        .get, "{container}/{environment}/devices", .recordsRead, takes: ["after", "limit"],
        audit: .look("looked at devices")
    ) { call in
        let (place, limit) = (try await call.place(), try call.arguments.limit())
        let found = try await place.store.browsing.devices(after: try after(call), limit: limit + 1)
        return Page(found.map(DeviceInfo.init), limit: limit) { String($0.id) }
    }

    private static func after(_ call: OperationCall) throws(ServerError) -> Int64 {
        try call.arguments.number("after", in: 0...Int64.max) ?? 0
    }
}

package struct SubscriptionInfo: Codable, Hashable, Sendable {
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

package struct SubscriptionTestInfo: Codable, Hashable, Sendable {
    package let fires: Bool
    /// A sentence: yes, or no with the reason.
    package let verdict: String

    init(_ answer: SubscriptionTrial.Answer) {
        fires = answer.fires
        verdict = answer.obstacle.map { "No: \($0)." } ?? "Yes."
    }
}

package struct DeviceInfo: Codable, Hashable, Sendable {
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
