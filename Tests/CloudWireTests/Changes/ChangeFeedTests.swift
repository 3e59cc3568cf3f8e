import TestCloud
import CloudModel
import Testing

/// records/changes, changes/zone, changes/database and zones/changes (reference A §8).
struct ChangeFeedTests {
    @Test("A change feed has each record once, in its latest state") func latestState() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            for name in ["a", "b", "c"] { try await mei.save(zone: "Z", name) }
            try await mei.save(zone: "Z", "a", fields: #""x": {"value": 1}"#)
            let first = try await mei.changes("Z")
            #expect(first.json.keys == ["records", "syncToken", "moreComing"])
            #expect(first.recordNames == ["b", "c", "a"])
            #expect(first["records.2.fields.x.value"] == 1)
            #expect(first["moreComing"] == false)
            _ = try await mei.modify(zone: "Z", [Operation.delete("b")])
            let token = first["syncToken"]?.string
            let next = try await mei.changes("Z", since: token)
            #expect(
                next["records"]
                    == .array([
                        .object(JSONObject([.init(key: "recordName", value: "b"), .init(key: "deleted", value: true)]))
                    ]))
            #expect(try await mei.changes("Z").recordNames == ["c", "a"])
        }
    }

    @Test("The pages of a feed together hold every record", arguments: [false, true])
    func pagination(reverse: Bool) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let names = (0..<7).map { "n\($0)" }
            for name in names { try await mei.save(zone: "Z", name) }
            var seen: [String] = []
            var token: String?
            var pages = 0
            repeat {
                let page = try await mei.changes(
                    "Z", since: token, options: #", "resultsLimit": 3, "reverse": \#(reverse)"#)
                seen += page.recordNames
                token = try #require(page["syncToken"]?.string)
                pages += 1
                if page["moreComing"] == false { break }
            } while pages < 10
            #expect(seen == (reverse ? names.reversed() : names))
            #expect(pages == 3)
            #expect(try await mei.changes("Z", since: token).recordNames == [])
        }
    }

    @Test("Options of a zone override those of the request") func zoneOptions() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for zone in ["A", "B"] {
                try await mei.makeZone(zone)
                try await mei.save(zone: zone, "n1", fields: #""x": {"value": 1}, "y": {"value": 2}"#)
                try await mei.save(zone: zone, "n2", type: "Other")
            }
            let answer = try await mei.post(
                "private/changes/zone",
                """
                {"zones": [{"zoneID": {"zoneName": "A"}, "desiredKeys": ["y"], "desiredRecordTypes": ["Note"]},
                    {"zoneID": {"zoneName": "B"}, "desiredKeys": null, "reverse": true}], "desiredKeys": ["x"]}
                """)
            #expect(answer["zones.0.records.0.fields"]?.keys == ["y"])
            #expect(answer["zones.0.records"]?.array?.count == 1)
            #expect(answer["zones.1.records.1.fields"]?.keys == ["x"])
            #expect(answer["zones.1.records.0.recordName"] == "n2")
        }
    }

    @Test("The failure of one zone leaves the answers for other zones") func failedZone() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let answer = try await mei.post(
                "private/changes/zone",
                """
                {"zones": [{"zoneID": {"zoneName": "gone"}}, {"zoneID": {"zoneName": "Z"}}, {"zoneID": {"zoneName": "_defaultZone"}},
                    {"zoneID": {"zoneName": "Z"}, "syncToken": "AQAA"}, {"zoneID": {"zoneName": "Z"}, "syncToken": "not base64!"}]}
                """)
            #expect(answer.status == 200)
            #expect(
                answer.column("zones", "serverErrorCode") == [
                    "ZONE_NOT_FOUND", nil, "BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST",
                ])
            #expect(answer["zones.1"]?.keys == ["zoneID", "records", "syncToken", "moreComing"])
            #expect(answer["zones.2.reason"] == "cannot get changes in default zone")
            #expect(answer["zones.3.reason"]?.string?.hasPrefix("Unknown sync continuation type") == true)
        }
    }

    @Test(
        "A malformed request to changes/zone is answered BAD_REQUEST",
        arguments: [
            "{}", #"{"zones": 5}"#, #"{"zones": ["Z"]}"#, #"{"zones": [{}]}"#, #"{"zones": [{"syncToken": "x"}]}"#,
        ])
    func malformed(body: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.post("private/changes/zone", body)
            #expect(answer.status == 400)
            #expect(answer.code == "BAD_REQUEST")
        }
    }

    @Test("Change feeds of the public database and of the default zone are refused")
    func noFeed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for (endpoint, body) in [
                ("records/changes", #"{"zoneID": {"zoneName": "_defaultZone"}}"#), ("changes/database", "{}"),
                ("changes/zone", #"{"zones": []}"#),
            ] {
                let answer = try await mei.post("public/\(endpoint)", body)
                #expect(answer.status == 400)
                #expect(answer.code == "BAD_REQUEST")
            }
            for body in ["{}", #"{"zoneID": null}"#, #"{"zoneID": {"zoneName": "_defaultZone"}}"#] {
                let answer = try await mei.post("private/records/changes", body)
                #expect(answer.status == 400)
                #expect(answer.reason == "cannot get changes in default zone")
            }
            let older = try await mei.post("public/zones/changes", "{}")
            #expect(older["zones"] == .array([]))
        }
    }

    @Test(
        "The database feed lists the zones that changed",
        arguments: [("changes/database", "syncToken"), ("zones/changes", "metaSyncToken")])
    func changedZones(endpoint: String, key: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for zone in ["A", "B", "C"] { try await mei.makeZone(zone) }
            let first = try await mei.post("private/\(endpoint)", #"{"resultsLimit": 2}"#)
            #expect(first.json.keys == ["zones", "moreComing", key])
            #expect(first.zoneNames == ["A", "B"])
            #expect(first["moreComing"] == true)
            let second = try await mei.post(
                "private/\(endpoint)", #"{"\#(key)": "\#(try #require(first[key]?.string))"}"#)
            #expect(second.zoneNames == ["C"])
            let token = try #require(second[key]?.string)
            try await mei.save("in the default zone")
            try await mei.save(zone: "A", "n1")
            _ = try await mei.post(
                "private/zones/modify",
                #"{"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "B"}}}]}"#)
            let third = try await mei.post("private/\(endpoint)", #"{"\#(key)": "\#(token)"}"#)
            #expect(third.zoneNames == ["A", "B"])
            #expect(third.column("zones", "deleted") == [false, true])
            #expect(third["moreComing"] == false)
            let shared = try await mei.post("shared/\(endpoint)", "{}")
            #expect(shared["zones"] == .array([]))
            let foreign = try await mei.post(
                "private/\(endpoint)",
                #"{"\#(key)": "\#(try #require(try await mei.changes("A")["syncToken"]?.string))"}"#)
            #expect(foreign.status == 400)
        }
    }

    @Test("zones/changes ignores a sync token") func ignoredSyncToken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            let token = try #require(try await mei.post("private/changes/database", "{}")["syncToken"]?.string)
            #expect(try await mei.post("private/zones/changes", #"{"syncToken": "\#(token)"}"#).zoneNames == ["A"])
            #expect(try await mei.post("private/zones/changes", #"{"syncToken": 5}"#).zoneNames == ["A"])
        }
    }

    @Test("Entries of changes/database passed to changes/zone unchanged fetch everything")
    func entries() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            try await mei.save(zone: "A", "n1")
            let zones = try #require(try await mei.post("private/changes/database", "{}")["zones"])
            #expect(zones.array?.first?.keys == ["zoneID", "deleted"])
            var body = JSONWriter()
            body.object {
                $0.key("zones")
                $0.value(zones)
            }
            let answer = try await mei.post("private/changes/zone", String(decoding: body.bytes, as: UTF8.self))
            #expect(answer["zones.0.records.0.recordName"] == "n1")
        }
    }

    @Test("A zone's token from zones/changes continues the feed of that zone")
    func zoneToken() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            try await mei.save(zone: "A", "n1")
            let token = try #require(try await mei.post("private/zones/changes", "{}")["zones.0.syncToken"]?.string)
            try await mei.save(zone: "A", "n2")
            #expect(try await mei.changes("A", since: token).recordNames == ["n2"])
        }
    }

    @Test("Each record that a cascade deletes has a tombstone") func cascade() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "top")
            for (name, target) in [("middle", "top"), ("leaf", "middle")] {
                try await mei.save(
                    zone: "Z", name, fields: #""to": {"value": {"recordName": "\#(target)", "action": "DELETE_SELF"}}"#)
            }
            let token = try await mei.changes("Z")["syncToken"]?.string
            _ = try await mei.modify(zone: "Z", [Operation.delete("top")])
            let answer = try await mei.changes("Z", since: token)
            #expect(Set(answer.recordNames) == ["top", "middle", "leaf"])
            #expect(answer.column("records", "deleted") == [true, true, true])
        }
    }
}
