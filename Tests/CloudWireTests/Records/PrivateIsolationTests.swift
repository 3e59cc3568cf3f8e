import TestCloud
import CloudModel
import Testing

/// Nobody sees anything of another user's private database, whatever the endpoint (reference A §12).
struct PrivateIsolationTests {
    @Test("Another user sees nothing of a private database") func otherUser() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save("secret")
            try await mei.save(zone: "Z", "hidden")
            let token = try #require(try await mei.changes("Z")["syncToken"]?.string)
            let ann = try await server.signIn("ann@example.com")
            #expect(try await ann.lookup("secret")["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(try await ann.lookup(zone: "Z", "hidden").code == "ZONE_NOT_FOUND")
            for body in [
                #"{"query": {"recordType": "Note"}}"#, #"{"query": {"recordType": "Note"}, "zoneWide": true}"#,
            ] {
                #expect(try await ann.post("private/records/query", body).recordNames == [])
            }
            #expect(try await ann.get("private/zones/list").zoneNames == ["_defaultZone"])
            #expect(try await ann.post("private/changes/database", "{}").zoneNames == [])
            #expect(try await ann.post("private/zones/changes", "{}").zoneNames == [])
            #expect(try await ann.changes("Z").code == "ZONE_NOT_FOUND")
            try await ann.makeZone("Z")
            #expect(try await ann.changes("Z").recordNames == [])
            #expect(try await ann.changes("Z", since: token).code == "BAD_REQUEST")
            #expect(try await ann.modify([Operation.delete("secret")])["records.0.deleted"] == true)
            #expect(try await mei.lookup("secret")["records.0.recordType"] == "Note")
        }
    }

    @Test("Naming a zone's owner does not open the zone to another user") func namedOwner() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let ann = try await server.signIn("ann@example.com")
            let zone = #"{"zoneName": "Z", "ownerRecordName": "\#(mei.user)"}"#
            for (endpoint, body) in [
                ("records/modify", #"{"operations": [], "zoneID": \#(zone)}"#),
                ("records/lookup", #"{"records": [], "zoneID": \#(zone)}"#),
                ("records/query", #"{"query": {"recordType": "Note"}, "zoneID": \#(zone)}"#),
                ("records/changes", #"{"zoneID": \#(zone)}"#),
                ("zones/modify", #"{"operations": [{"operationType": "delete", "zone": {"zoneID": \#(zone)}}]}"#),
            ] {
                let answer = try await ann.post("private/\(endpoint)", body)
                #expect(answer.status == 400)
                #expect(answer.reason == "PrivateDB can't be used to access another user's zone")
            }
            for (endpoint, body) in [
                ("zones/lookup", #"{"zones": [\#(zone)]}"#), ("changes/zone", #"{"zones": [{"zoneID": \#(zone)}]}"#),
            ] {
                let answer = try await ann.post("private/\(endpoint)", body)
                #expect(answer.status == 200)
                #expect(answer["zones.0.serverErrorCode"] == "BAD_REQUEST")
                #expect(answer["zones.0.zoneID.ownerRecordName"]?.string == mei.user)
            }
            for endpoint in ["records/lookup", "records/query"] {
                let body = #"{"records": [], "query": {"recordType": "Note"}, "zoneID": \#(zone)}"#
                #expect(try await ann.post("shared/\(endpoint)", body).code == "ZONE_NOT_FOUND")
            }
        }
    }

    @Test("A private database needs a signed-in user", arguments: ["private", "shared"])
    func anonymous(database: String) async throws {
        try await TestServer.run { server in
            let world = server.app()
            for (endpoint, body) in [
                ("records/modify", #"{"operations": []}"#), ("records/lookup", #"{"records": []}"#),
                ("records/query", #"{"query": {"recordType": "Note"}}"#),
                ("records/changes", #"{"zoneID": {"zoneName": "Z"}}"#),
                ("changes/zone", #"{"zones": []}"#), ("changes/database", "{}"), ("zones/list", "{}"),
                ("zones/lookup", #"{"zones": []}"#), ("zones/modify", #"{"operations": []}"#), ("zones/changes", "{}"),
                ("users/caller", ""), ("users/current", ""), ("records/modify", "not JSON"),
            ] {
                let answer = try await world.post("\(database)/\(endpoint)", body)
                #expect(answer.status == 421, "\(endpoint)")
                #expect(answer["redirectURL"] != nil)
            }
        }
    }

    @Test("Records of one container or environment are not in another") func separation() async throws {
        try await TestServer.run { server in
            let here = try await server.signIn("mei@example.com", "iCloud.one")
            let there = try await server.signIn("mei@example.com", "iCloud.two")
            try await here.save(in: "public", "n1")
            #expect(here.user != there.user)
            #expect(try await there.lookup(in: "public", "n1")["records.0.serverErrorCode"] == "NOT_FOUND")
            var mixed = there
            mixed.token = here.token
            #expect(try await mixed.lookup("n1").status == 421)
        }
    }
}
