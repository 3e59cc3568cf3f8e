import CumulusKit

// What an app says to be told of changes (reference B §6).

extension JSON {
    /// A push that wakes the app and shows nothing.
    static let silently: JSON = ["shouldSendContentAvailable": true]

    /// A subscription to records of a type, those in whose field is the value if they are given.
    static func watching(
        _ type: String, as id: String, on events: [JSON], zone: String? = nil,
        where condition: (field: String, value: String)? = nil, telling info: JSON = silently
    ) -> JSON {
        let filters = condition.map { field, value -> JSON in
            ["fieldName": .string(field), "comparator": "EQUALS", "fieldValue": ["value": .string(value)]]
        }
        var members: [String: JSON] = [
            "subscriptionID": .string(id), "subscriptionType": "query", "firesOn": .array(events),
            "query": ["recordType": .string(type), "filterBy": .array(filters.map { [$0] } ?? [])],
            "notificationInfo": info,
        ]
        members["zoneID"] = zone.map { ["zoneName": .string($0)] }
        return .object(members)
    }

    static func watchingZone(_ zone: String, as id: String) -> JSON {
        [
            "subscriptionID": .string(id), "subscriptionType": "zone", "zoneID": ["zoneName": .string(zone)],
            "notificationInfo": silently,
        ]
    }

    static func watchingDatabase(as id: String) -> JSON {
        ["subscriptionID": .string(id), "subscriptionType": "database", "notificationInfo": silently]
    }
}

extension Stage {
    func subscribe(_ app: CKContainer, in database: String, _ subscriptions: [JSON]) async throws {
        let answer = try await server.ask(
            app, "database", "\(database)/subscriptions/modify",
            ["operations": .array(subscriptions.map { ["operationType": "create", "subscription": $0] })])
        try check(
            subscriptions.count == 1 ? "subscribed" : "subscribed to all \(subscriptions.count)",
            answer["subscriptions"]?.array?.map { $0["serverErrorCode"] ?? $0["subscriptionID"] },
            is: subscriptions.map { $0["subscriptionID"] })
    }
}
