import CloudAccounts
package import CloudModel
package import CloudStore
import Testing

/// The text of a query subscription; `filters` and `more` are JSON too.
package func querySubscription(
    _ type: String = "Note", filters: String = "", on reasons: String = #""create","update","delete""#,
    more: String = ""
) -> String {
    #"{"subscriptionType":"query","query":{"recordType":"\#(type)","filterBy":[\#(filters)]},"firesOn":[\#(reasons)]"#
        + (more.isEmpty ? "" : ",\(more)") + "}"
}

package func zoneSubscription(_ zone: String = "Notes", more: String = "") -> String {
    #"{"subscriptionType":"zone","zoneID":{"zoneName":"\#(zone)"}"# + (more.isEmpty ? "" : ",\(more)") + "}"
}

package let databaseSubscription = #"{"subscriptionType":"database"}"#

package func filter(_ field: String, _ value: String, _ comparator: String = "EQUALS") -> String {
    #"{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)}}"#
}

extension EnvironmentStore {
    /// subscriptions/modify with one operation for each text, named as given.
    package func subscribe(
        _ subscriptions: [(name: String, text: String)], user: String = "_alice", in scope: DatabaseScope = .private,
        type: String = "create", refusesDuplicates: Bool = false, limits: Limits = Limits()
    ) async throws -> [SubscriptionOutcome] {
        let database: DatabaseAddress =
            switch scope {
            case .public: .public
            case .private: .private(owner: user)
            case .shared: .shared(with: user)
            }
        let operations = try subscriptions.enumerated().map { index, subscription in
            var object = try #require(json(subscription.text).object)
            object.set("subscriptionID", .string(subscription.name))
            let operation = JSONObject([
                .init(key: "operationType", value: .string(type)), .init(key: "subscription", value: .object(object)),
            ])
            return try SubscriptionOperation.parse(
                .object(operation), at: index, newName: "new\(index)", scope: scope, database: database, limits: limits)
        }
        return try await self.subscriptions.modify(
            SubscriptionsRequest(
                user: user, scope: scope, operations: operations, strict: false, refusesDuplicates: refusesDuplicates,
                limits: limits))
    }

    /// Makes one subscription, which must succeed.
    package func subscribe(
        _ name: String, _ text: String, user: String = "_alice", in scope: DatabaseScope = .private
    ) async throws {
        let outcome = try await subscribe([(name, text)], user: user, in: scope)[0]
        if case .failed(_, let error) = outcome { throw error }
    }

    package func unsubscribe(_ name: String, user: String = "_alice", in scope: DatabaseScope = .private) async throws {
        _ = try await self.subscriptions.modify(
            SubscriptionsRequest(
                user: user, scope: scope, operations: [.success(.delete(name: name))], strict: false,
                refusesDuplicates: false, limits: Limits()))
    }

    /// Names of the user's subscriptions.
    package func subscriptionNames(_ user: String = "_alice", in scope: DatabaseScope = .private) async throws
        -> [String]
    {
        try await subscriptions.list(of: user, in: scope).compactMap {
            try JSONParser.parse($0).object?["subscriptionID"]?.string
        }
    }

    package func listen(_ token: Int64 = 1, as user: String = "_alice", client: String? = nil) async throws {
        try await devices.register(Device(token: token, user: user, clientID: client, expires: .max))
    }

    /// Everything that waits for a token, delivered.
    package func messages(_ token: Int64 = 1) async throws -> [JSONValue] {
        let waiting = try await notifications.list(token: token, after: 0, limit: 1000)
        // All at once, so that they share a commit.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for message in waiting { group.addTask { try await notifications.acknowledge([message], keeping: false) } }
            try await group.waitForAll()
        }
        return try waiting.map { try JSONParser.parse($0.body) }
    }

    /// The same, in short: `s+r` for a record that came, `s~r` changed, `s-r` gone, `s` for anything else.
    package func news(_ token: Int64 = 1) async throws -> [String] {
        try await messages(token).map { message in
            let ck = try #require(message.object?["ck"]?.object)
            let told = try #require((ck["qry"] ?? ck["fet"] ?? ck["met"])?.object)
            let name = told["sid"]?.string ?? ""
            guard let record = told["rid"]?.string else { return name }
            return name + ["+", "~", "-"][Int(told["fo"]?.integer ?? 1) - 1] + record
        }
    }
}
