import TestCloud
import CloudModel
import Testing

/// A family with roles: three types with references in a custom zone of the private database, and three subscriptions.
struct FamilyRolesTests {
    private static let container = "iCloud.net.dataenvy.TribeBoard"
    private static let zone = "TribeBoardZone"
    private static let watched = [
        ("CKFamily", "family-changes"), ("CKMembership", "membership-changes"),
        ("CKUserProfile", "userprofile-changes"),
    ]

    private static func family(_ name: String, code: String) -> String {
        Operation.write(
            "create", name, type: "CKFamily",
            fields:
                #""name": {"value": "The Lees"}, "code": {"value": "\#(code)"}, "createdAt": {"value": 1, "type": "TIMESTAMP"}"#
        )
    }

    private static func profile(_ name: String) -> String {
        Operation.write(
            "create", "profile-\(name)", type: "CKUserProfile",
            fields: #""displayName": {"value": "\#(name)"}, "appleUserIdHash": {"value": "hash-\#(name)"}"#)
    }

    private static func reference(_ name: String) -> String {
        #"{"value": {"recordName": "\#(name)", "action": "DELETE_SELF"}, "type": "REFERENCE"}"#
    }

    private static func membership(
        _ name: String, role: String, status: String = "active", joined: Int, family: String = "family"
    ) -> String {
        Operation.write(
            "create", "membership-\(name)", type: "CKMembership",
            fields:
                #""role": {"value": "\#(role)"}, "status": {"value": "\#(status)"}, "#
                + #""joinedAt": {"value": \#(joined), "type": "TIMESTAMP"}, "#
                + #""family": \#(reference(family)), "user": \#(reference("profile-\(name)"))"#)
    }

    /// Two families, one of four members, in an app of their founder's.
    private func families(_ server: TestServer) async throws -> App {
        let app = try await server.signIn("anna@example.com", Self.container)
        try await app.makeZone(Self.zone)
        let founded = try await app.modify(
            zone: Self.zone,
            [Self.family("family", code: "LEE1"), Self.family("other", code: "LEE2")]
                + ["anna", "ben", "clara", "david"].map(Self.profile)
                + [
                    Self.membership("clara", role: "kid", joined: 30),
                    Self.membership("anna", role: "parent_admin", joined: 10),
                    Self.membership("ben", role: "parent", joined: 20),
                    Self.membership("david", role: "kid", status: "invited", joined: 5),
                ], options: #", "atomic": true"#)
        #expect(founded.status == 200 && founded.recordNames.count == 10)
        return app
    }

    private func subscribe(_ app: App) async throws {
        for (type, id) in Self.watched {
            try await app.subscribe(
                Silent.query(type, as: id, on: ["create", "update", "delete"], zone: Self.zone))
        }
    }

    @Test(
        "The family app's queries find its records",
        arguments: [
            (#"{"recordType": "CKFamily", "filterBy": [\#(equals("code", "LEE1"))]}"#, ["family"]),
            (
                #"{"recordType": "CKUserProfile", "filterBy": [\#(equals("appleUserIdHash", "hash-ben"))]}"#,
                ["profile-ben"]
            ),
            (
                #"{"recordType": "CKMembership", "filterBy": [\#(ofFamily), \#(equals("status", "active"))], "sortBy": [{"fieldName": "joinedAt"}]}"#,
                ["membership-anna", "membership-ben", "membership-clara"]
            ),
            (
                #"{"recordType": "CKMembership", "filterBy": [\#(ofFamily), \#(equals("role", "parent_admin"))]}"#,
                ["membership-anna"]
            ),
        ])
    func queries(query: String, names: [String]) async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            let found = try await app.post(
                "private/records/query", #"{"query": \#(query), "zoneID": {"zoneName": "\#(Self.zone)"}}"#)
            #expect(found.recordNames == names)
        }
    }

    private static let ofFamily =
        #"{"fieldName": "family", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "family"}, "type": "REFERENCE"}}"#

    private static func equals(_ field: String, _ value: String) -> String {
        #"{"fieldName": "\#(field)", "comparator": "EQUALS", "fieldValue": {"value": "\#(value)"}}"#
    }

    @Test("An atomic batch creates profile, family and membership together or not at all")
    func atomicCreation() async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            let refused = try await app.modify(
                zone: Self.zone,
                [
                    Self.profile("erik"), Self.family("third", code: "LEE3"),
                    Self.membership("erik", role: "kid", joined: 40, family: "third"),
                    Self.family("family", code: "taken"),
                ], options: #", "atomic": true"#)
            #expect(refused.status == 200)
            #expect(
                refused.column("records", "serverErrorCode")
                    == ["ATOMIC_ERROR", "ATOMIC_ERROR", "ATOMIC_ERROR", "CONFLICT"])
            let left = try await app.lookup(zone: Self.zone, "profile-erik", "third", "membership-erik")
            #expect(left.column("records", "serverErrorCode") == ["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"])
        }
    }

    @Test("Deleting a family deletes its memberships") func cascade() async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            let token = try #require(try await app.changes(Self.zone)["syncToken"]?.string)
            _ = try await app.modify(zone: Self.zone, [Operation.delete("family")])
            let feed = try await app.changes(Self.zone, since: token)
            #expect(
                Set(feed.recordNames) == [
                    "family", "membership-anna", "membership-ben", "membership-clara", "membership-david",
                ])
            #expect(feed.column("records", "deleted").allSatisfy { $0 == true })
        }
    }

    @Test("Saving the same subscriptions again changes nothing") func savedAgain() async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            let device = try await app.listening("tablet")
            try await subscribe(app)
            let before = try await app.get("private/subscriptions/list")
            try await subscribe(app)
            let after = try await app.get("private/subscriptions/list")
            #expect(before.text == after.text)
            #expect(after.column("subscriptions", "subscriptionID").count == 3)
            #expect(after["subscriptions.0.notificationInfo"] == before["subscriptions.0.notificationInfo"])
            // One message a change, although each was subscribed to twice.
            try await device.hears("family-changes updated other", "family-changes deleted other") {
                let phone = app.on("phone")
                _ = try await phone.modify(zone: Self.zone, [Operation.write("forceUpdate", "other", type: "CKFamily")])
                _ = try await phone.modify(zone: Self.zone, [Operation.delete("other")])
            }
        }
    }

    @Test("Creating, changing and deleting a record each notify the other device")
    func everyChange() async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            let (phone, tablet) = (app.on("phone"), try await app.listening("tablet"))
            try await subscribe(app)
            let write = { (operations: [String]) in
                let answer = try await phone.modify(zone: Self.zone, operations, options: #", "atomic": true"#)
                #expect(answer.status == 200, "\(answer.text)")
            }
            try await tablet.hears(
                "userprofile-changes created profile-greta", "family-changes created third",
                "membership-changes created membership-greta"
            ) {
                try await write([
                    Self.profile("greta"), Self.family("third", code: "LEE3"),
                    Self.membership("greta", role: "kid", joined: 50, family: "third"),
                ])
            }
            for ((type, subscription), name) in zip(Self.watched, ["third", "membership-greta", "profile-greta"]) {
                try await tablet.hears("\(subscription) updated \(name)") {
                    try await write([Operation.write("forceUpdate", name, type: type)])
                }
            }
            try await tablet.hears("family-changes deleted third", "membership-changes deleted membership-greta") {
                try await write([Operation.delete("third")])
            }
            try await tablet.hears("userprofile-changes deleted profile-greta") {
                try await write([Operation.delete("profile-greta")])
            }
        }
    }

    @Test("A client is not notified of its own changes") func ownChanges() async throws {
        try await TestServer.run { server in
            let app = try await families(server)
            try await subscribe(app)
            let phone = try await app.listening("phone")
            let tablet = try await app.listening("tablet")
            let update = { (app: App, name: String) in
                _ = try await app.modify(zone: Self.zone, [Operation.write("forceUpdate", name, type: "CKFamily")])
            }
            try await tablet.hears("family-changes updated family") { try await update(phone.app, "family") }
            // The first that comes to the phone is what the tablet did, so nothing of its own came before it.
            try await phone.hears("family-changes updated other") { try await update(tablet.app, "other") }
            try await tablet.hears("family-changes updated family") { try await update(phone.app, "family") }
        }
    }
}
