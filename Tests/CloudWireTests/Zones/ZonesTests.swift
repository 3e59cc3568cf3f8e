import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import Testing

/// zones/list, lookup and modify (reference A §7).
struct ZonesTests {
    @Test("zones/list answers the default zone and the custom ones") func listing() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Notes")
            let answer = try await mei.get("private/zones/list")
            #expect(answer.zoneNames == ["_defaultZone", "Notes"])
            #expect(answer.column("zones", "atomic") == [false, true])
            #expect(answer.column("zones", "zoneID.zoneType") == ["DEFAULT_ZONE", "REGULAR_CUSTOM_ZONE"])
            let open = try await server.app().get("public/zones/list")
            #expect(open.zoneNames == ["_defaultZone"])
            #expect(open["zones.0.zoneID.ownerRecordName"] == "_defaultOwner")
            #expect(try await mei.get("shared/zones/list")["zones"] == .array([]))
        }
    }

    @Test("zones/lookup answers each zone or its error") func lookingUp() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Notes")
            let answer = try await mei.post(
                "private/zones/lookup",
                #"{"zones": [{"zoneName": "nope"}, {"zoneName": "Notes"}, {"zoneID": {"zoneName": "Notes"}}, {"zoneName": "_defaultZone"}]}"#
            )
            #expect(answer.zoneNames == ["nope", "Notes", "Notes", "_defaultZone"])
            #expect(answer["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
            #expect(answer["zones.0.reason"] == "Zone not found")
            #expect(answer["zones.1"]?.keys == ["zoneID", "syncToken", "atomic"])
            let open = try await server.app().post("public/zones/lookup", #"{"zones": {"zoneName": "_defaultZone"}}"#)
            #expect(open["zones.0.syncToken"] != nil)
            let shared = try await mei.post(
                "shared/zones/lookup", #"{"zones": [{"zoneName": "Notes", "ownerRecordName": "\#(mei.user)"}]}"#)
            #expect(shared["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
        }
    }

    @Test(
        "A malformed zones/lookup is refused",
        arguments: [
            "{}", #"{"zones": "Z"}"#, #"{"zones": ["Z"]}"#, #"{"zones": [{}]}"#, #"{"zones": [{"zoneName": 1}]}"#,
        ])
    func wrongLookup(body: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.app().post("public/zones/lookup", body)
            #expect(answer.status == 400)
            #expect(answer.code == "BAD_REQUEST")
        }
    }

    private static func operation(_ kind: String, _ name: String) -> String {
        #"{"operationType": "\#(kind)", "atomic": true, "zone": {"zoneID": {"zoneName": "\#(name)"}}}"#
    }

    @Test("zones/modify creates and deletes zones") func makingAndDeleting() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Old")
            try await mei.save(zone: "Old", "n1")
            let long = String(repeating: "z", count: 256)
            let operations = [
                Self.operation("create", "New"), Self.operation("delete", "Old"), Self.operation("delete", "Never"),
                Self.operation("create", "_mine"), Self.operation("create", "_defaultZone"),
                Self.operation("create", ""),
                Self.operation("create", long), Self.operation("create", "../../etc"),
            ].joined(separator: ", ")
            let answer = try await mei.post("private/zones/modify", #"{"operations": [\#(operations)]}"#)
            #expect(answer.status == 200)
            #expect(
                answer.column("zones", "serverErrorCode") == [
                    nil, nil, "ZONE_NOT_FOUND", "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", nil,
                ])
            #expect(answer["zones.1"]?.keys == ["zoneID", "deleted"])
            #expect(answer["zones.6.reason"]?.string?.contains("255") == true)
            #expect(try await mei.get("private/zones/list").zoneNames == ["_defaultZone", "../../etc", "New"])
            let again = try await mei.post(
                "private/zones/modify", #"{"operations": \#(Self.operation("create", "New"))}"#)
            #expect(again["zones.0.syncToken"] == answer["zones.0.syncToken"])
            #expect(try await mei.lookup(zone: "Old", "n1").code == "ZONE_NOT_FOUND")
        }
    }

    @Test("A zone made anew is empty, and its old sync tokens are refused") func recreated() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "n1")
            let token = try await mei.changes("Z")["syncToken"]?.string
            _ = try await mei.post("private/zones/modify", #"{"operations": [\#(Self.operation("delete", "Z"))]}"#)
            try await mei.makeZone("Z")
            #expect(try await mei.changes("Z").recordNames == [])
            #expect(try await mei.changes("Z", since: token).reason.hasPrefix("Unknown sync continuation type"))
        }
    }

    @Test(
        "A malformed zones/modify is answered BAD_REQUEST",
        arguments: [
            #"{"operations": [{"operationType": "create"}]}"#,
            #"{"operations": [{"zone": {"zoneID": {"zoneName": "Z"}}}]}"#,
            #"{"operations": [{"operationType": "update", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#, "{}",
            #"{"operations": [5]}"#,
            #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": null}}}]}"#,
            #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}, {"operationType": "delete", "zone": {"zoneID": {"zoneName": "Z"}}}]}"#,
        ])
    func malformed(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post("private/zones/modify", body)
            #expect(answer.status == 400)
            #expect(answer.code == "BAD_REQUEST")
            #expect(try await mei.get("private/zones/list").zoneNames == ["_defaultZone"])
        }
    }

    @Test("Zones are made in the private database only") func privateOnly() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let body = #"{"operations": [\#(Self.operation("create", "Z"))]}"#
            let open = try await mei.post("public/zones/modify", body)
            #expect(open.status == 400)
            let shared = try await mei.post("shared/zones/modify", body)
            #expect(shared.status == 403)
            #expect(shared.code == "ACCESS_DENIED")
        }
    }

    @Test("A zone over the limit is refused with the number") func limit() async throws {
        try await TestServer.run(configure: { $0.limits.zonesPerUser = 2 }) { server in
            let mei = try await server.signIn("mei@example.com")
            let operations = ["A", "B", "C"].map { Self.operation("create", $0) }.joined(separator: ", ")
            let answer = try await mei.post("private/zones/modify", #"{"operations": [\#(operations)]}"#)
            #expect(answer.column("zones", "serverErrorCode") == [nil, nil, "BAD_REQUEST"])
            #expect(answer["zones.2.reason"]?.string?.contains("2") == true)
        }
    }
}
