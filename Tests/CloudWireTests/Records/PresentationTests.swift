import TestCloud
import CloudModel
import Testing

/// desiredKeys, numbersAsStrings and getCurrentSyncToken: what an answer shows (reference A §3.5, §4.1, §1.3).
struct PresentationTests {
    private static let fields = """
        "a": {"value": 9007199254740993, "type": "INT64"}, "b": {"value": 0.5}, "c": {"value": "x"},
        "d": {"value": [1, 2], "type": "INT64_LIST"}, "e": {"value": 1422312944104, "type": "TIMESTAMP"},
        "f": {"value": {"latitude": 1, "longitude": 2, "altitude": "3"}}
        """

    @Test(
        "A record's desiredKeys take the place of the request's",
        arguments: [
            (#", "desiredKeys": ["a"]"#, "", ["a"]),
            (#", "desiredKeys": []"#, "", []),
            (#", "desiredKeys": null"#, "", ["a", "c"]),
            (#", "desiredKeys": ["a", "a", "recordName", "nothing"]"#, "", ["a"]),
            (#", "desiredKeys": ["a"]"#, #", "desiredKeys": ["c"]"#, ["c"]),
        ])
    func desiredKeys(request: String, record: String, shown: [String]) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let fields = #""a": {"value": 1}, "c": {"value": 2}"#
            let answer = try await mei.modify(
                [Operation.write("create", "n1", fields: fields, extra: record)], options: request)
            #expect(answer["records.0.fields"]?.keys == Set(shown))
            #expect(answer["records.0.recordChangeTag"] != nil)
        }
    }

    @Test("An operation's desiredKeys take the place of the request's") func operationKeys() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let record = #"{"recordType": "Note", "fields": {"a": {"value": 1}, "c": {"value": 2}}}"#
            let answer = try await mei.modify(
                [
                    #"{"operationType": "create", "desiredKeys": ["a"], "record": \#(record)}"#,
                    #"{"operationType": "create", "record": \#(record)}"#,
                ], options: #", "desiredKeys": ["c"]"#)
            #expect(answer["records.0.fields"]?.keys == ["a"])
            #expect(answer["records.1.fields"]?.keys == ["c"])
        }
    }

    @Test(
        "numbersAsStrings writes every number of an answer as a string",
        arguments: ["numbersAsStrings", "numberAsStrings"])
    func numberStrings(spelling: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let option = #", "\#(spelling)": true"#
            let zone = #", "zoneID": {"zoneName": "Z"}"#
            let answers = [
                try await mei.modify(
                    zone: "Z", [Operation.write("create", "n1", fields: Self.fields)], options: option),
                try await mei.post("private/records/lookup", #"{"records": [{"recordName": "n1"}]\#(zone)\#(option)}"#),
                try await mei.post("private/records/query", #"{"query": {"recordType": "Note"}\#(zone)\#(option)}"#),
                try await mei.changes("Z", options: option),
            ]
            for answer in answers {
                #expect(answer["records.0.fields.a.value"] == "9007199254740993")
                #expect(answer["records.0.fields.b.value"] == "0.5")
                #expect(answer["records.0.fields.c.value"] == "x")
                #expect(answer["records.0.fields.d.value"] == .array(["1", "2"]))
                #expect(answer["records.0.fields.e.value"] == "1422312944104")
                #expect(answer["records.0.fields.f.value.latitude"] == 1.0)
                #expect(answer["records.0.fields.f.value.altitude"] == 3.0)
                #expect(answer["records.0.created.timestamp"]?.integer != nil)
            }
        }
    }

    @Test(
        "A response has the zone's sync token when the query asks for it",
        arguments: [
            "getCurrentSyncToken=True", "getCurrentSyncToken=true", "remapEnums=True&getCurrentSyncToken=TRUE",
        ])
    func syncToken(query: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let zone = #""zoneID": {"zoneName": "Z"}"#
            try await mei.save(zone: "Z", "n1")
            let lookup = #"{"records": [{"recordName": "n1"}], \#(zone)}"#
            let found = try await mei.post("private/records/lookup", lookup, query: query)
            let token = try #require(found["syncToken"]?.string)
            #expect(try await mei.changes("Z", since: token)["records"] == .array([]))
            let queried = try await mei.post(
                "private/records/query", #"{"query": {"recordType": "Note"}, \#(zone)}"#, query: query)
            #expect(queried["syncToken"]?.string == token)
            let written = try await mei.post(
                "private/records/modify", #"{"operations": [\#(Operation.write("create", "n2"))], \#(zone)}"#,
                query: query)
            let later = try #require(written["syncToken"]?.string)
            #expect(try await mei.changes("Z", since: token).recordNames == ["n2"])
            #expect(try await mei.changes("Z", since: later).recordNames == [])
            #expect(try await mei.post("private/records/lookup", lookup)["syncToken"] == nil)
        }
    }

    @Test("A record keeps the short GUID that it got") func shortGUID() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([
                Operation.write("create", "n1", extra: #", "createShortGUID": true"#), Operation.write("create", "n2"),
            ])
            let guid = try #require(answer["records.0.shortGUID"]?.string)
            #expect(answer["records.1.shortGUID"] == nil)
            let tag = try #require(answer["records.0.recordChangeTag"]?.string)
            let again = try await mei.modify([
                Operation.write("update", "n1", tag: tag, extra: #", "createShortGUID": true"#)
            ])
            #expect(again["records.0.shortGUID"]?.string == guid)
        }
    }
}
