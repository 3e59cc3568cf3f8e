import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// subscriptions/list, lookup and modify (reference B §6.3–§6.5).
struct SubscriptionEndpointTests {
    private static func create(_ subscription: String) -> String {
        #"{"operationType": "create", "subscription": \#(subscription)}"#
    }

    private static let zone = """
        {"subscriptionType": "zone", "subscriptionID": "s1", "zoneID": {"zoneName": "Notes"}}
        """
    private static let query = """
        {"subscriptionType": "query", "subscriptionID": "q1", "firesOn": ["create"],
            "query": {"recordType": "Note", "filterBy": {"fieldName": "a", "comparator": "EQUALS", "fieldValue": {"value": 1}}},
            "notificationInfo": {"alertBody": "New", "additionalFields": ["a"], "shouldBadge": true}}
        """

    private func modify(
        _ app: App, _ operations: String..., in database: String = "private"
    ) async throws -> Answer {
        try await app.post(
            "\(database)/subscriptions/modify", #"{"operations": [\#(operations.joined(separator: ", "))]}"#)
    }

    @Test("A subscription is created, listed, updated and deleted") func lifetime() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Notes")
            try await mei.save("n0", fields: #""a": {"value": 1}"#)
            #expect(try await mei.get("private/subscriptions/list")["subscriptions"] == .array([]))
            let made = try await modify(mei, Self.create(Self.zone), Self.create(Self.query))
            #expect(made.column("subscriptions", "subscriptionID") == ["s1", "q1"])
            #expect(made["subscriptions.0.zoneID.ownerRecordName"]?.string == mei.user)
            #expect(made["subscriptions.1.notificationInfo.additionalFields.0"] == "a")
            #expect(made["subscriptions.1.query.filterBy.fieldValue.value"] == 1)
            let listed = try await mei.post("private/subscriptions/list", "{}")
            #expect(listed.column("subscriptions", "subscriptionID") == ["q1", "s1"])
            let found = try await mei.post(
                "private/subscriptions/lookup",
                #"{"subscriptions": [{"subscriptionID": "s1"}, {"subscriptionID": "nope"}]}"#)
            #expect(found["subscriptions.0"] == made["subscriptions.0"])
            #expect(found["subscriptions.1.serverErrorCode"] == "NOT_FOUND")
            #expect(found["subscriptions.1.reason"] == "subscription not found")
            let deleted = try await modify(
                mei, #"{"operationType": "delete", "subscription": {"subscriptionID": "s1"}}"#,
                #"{"operationType": "delete", "subscription": {"subscriptionID": "nope"}}"#)
            #expect(deleted.column("subscriptions", "deleted") == [true, true])
            #expect(deleted.column("subscriptions", "subscriptionType") == ["zone", nil])
            let others = try await modify(
                mei, Self.create(#"{"subscriptionType": "database", "subscriptionID": "d1"}"#))
            #expect(others["subscriptions.0.subscriptionID"] == "d1")
            let more = try await modify(
                mei, #"{"operationType": "delete", "subscription": {"subscriptionID": "d1"}}"#,
                #"{"operationType": "delete", "subscription": {"subscriptionID": "q1"}}"#,
                #"{"operationType": "delete", "subscription": {"subscriptionID": "q1"}}"#)
            #expect(more.column("subscriptions", "subscriptionType") == ["database", "query", nil])
            _ = try await modify(mei, Self.create(Self.query))
            #expect(
                try await mei.get("private/subscriptions/list").column("subscriptions", "subscriptionID") == ["q1"])
        }
    }

    @Test("A subscription without an identifier gets one") func unnamed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let made = try await modify(mei, Self.create(#"{"subscriptionType": "database"}"#))
            #expect(made["subscriptions.0.subscriptionID"]?.string?.count == 36)
        }
    }

    @Test("A refused subscription leaves the others of its request alone") func refusedOperation() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let long = String(repeating: "s", count: 256)
            let answer = try await modify(
                mei, Self.create(Self.zone), Self.create(#"{"subscriptionType": "database", "subscriptionID": "d"}"#),
                Self.create(#"{"subscriptionType": "database", "subscriptionID": "\#(long)"}"#),
                Self.create(#"{"subscriptionType": "zone", "subscriptionID": "e"}"#),
                #"{"operationType": "update", "subscription": {"subscriptionType": "database", "subscriptionID": "u"}}"#,
                #"{"operationType": "delete", "subscription": {}}"#)
            #expect(answer.status == 200)
            #expect(
                answer.column("subscriptions", "serverErrorCode") == [
                    "ZONE_NOT_FOUND", nil, "BAD_REQUEST", "BAD_REQUEST", "NOT_FOUND", "BAD_REQUEST",
                ])
            #expect(answer["subscriptions.2.reason"]?.string?.contains("255") == true)
        }
    }

    @Test(
        "A malformed subscriptions request is answered BAD_REQUEST",
        arguments: [
            "{}", #"{"operations": 1}"#, #"{"operations": [1]}"#, #"{"operations": [{"operationType": "create"}]}"#,
            #"{"operations": [{"operationType": "save", "subscription": {}}]}"#,
            #"{"operations": [{"subscription": {}}]}"#,
            #"{"operations": [{"operationType": "delete", "subscription": {"subscriptionID": 1}}]}"#,
        ])
    func malformed(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for database in ["private", "public", "shared"] {
                let answer = try await mei.post("\(database)/subscriptions/modify", body)
                #expect(answer.status == 400)
                #expect(answer.code == "BAD_REQUEST")
            }
            #expect(try await mei.post("private/subscriptions/lookup", #"{"subscriptions": [{}]}"#).status == 400)
        }
    }

    /// Notifications are for people: nobody who is not signed in has any.
    @Test(
        "An anonymous caller of a subscription endpoint is asked to sign in",
        arguments: ["list", "lookup", "modify"], ["public", "private", "shared"])
    func anonymous(endpoint: String, database: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.app().post("\(database)/subscriptions/\(endpoint)", "{}")
            #expect(answer.status == 421)
        }
    }

    @Test("With unique subscriptions on, a second query subscription of a type is refused")
    func unique() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: "public", "n0", fields: #""a": {"value": 1}"#)
            let twin = Self.query.replacing(#""q1""#, with: #""q2""#)
            #expect(
                try await modify(mei, Self.create(Self.query), Self.create(twin), in: "public")
                    .column("subscriptions", "serverErrorCode") == [nil, nil])
            _ = try await server.accounts.containers.update(name: mei.container, uniqueSubscriptions: true)
            let third = Self.query.replacing(#""q1""#, with: #""q3""#)
            let refused = try await modify(mei, Self.create(twin), Self.create(third), in: "public")
            #expect(refused.status == 200)
            #expect(refused["subscriptions.1.serverErrorCode"] == "INTERNAL_ERROR")
            #expect(
                refused["subscriptions.1.reason"]?.string?.contains("could not find subscription we just created")
                    == true)
        }
    }
}
