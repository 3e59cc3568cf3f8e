// What an app says to be told of changes (reference B §6).

extension JSON {
    /// A push that wakes the app and shows nothing.
    static let silently: JSON = ["shouldSendContentAvailable": true]

    /// A subscription to records of a type that match every filter.
    static func watching(
        _ type: String, as id: String, on events: [String], zone: JSON? = nil, filters: [JSON] = [],
        telling info: JSON = silently
    ) -> JSON {
        let subscription: JSON = [
            "subscriptionID": .string(id), "subscriptionType": "query",
            "firesOn": .array(events.map { .string($0) }),
            "query": ["recordType": .string(type), "filterBy": .array(filters)], "notificationInfo": info,
        ]
        return zone.map { subscription.with("zoneID", $0) } ?? subscription
    }

    static func watchingZone(_ zone: JSON, as id: String) -> JSON {
        [
            "subscriptionID": .string(id), "subscriptionType": "zone", "zoneID": zone,
            "notificationInfo": silently,
        ]
    }

    static func watchingDatabase(as id: String) -> JSON {
        ["subscriptionID": .string(id), "subscriptionType": "database", "notificationInfo": silently]
    }
}

extension CloudAnswer {
    var subscriptions: [JSON] { body["subscriptions"]?.array ?? [] }
}
