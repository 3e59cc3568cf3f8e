import TestCloud
import CloudModel
import Testing

/// records/lookup (reference A §6).
struct LookupRecordsTests {
    @Test("Lookups answer in the order asked for, with errors for missing records among them")
    func order() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("a", fields: #""x": {"value": 1}, "y": {"value": 2}"#)
            try await mei.save("b")
            let answer = try await mei.post(
                "private/records/lookup",
                """
                {"records": [{"recordName": "b"}, {"recordName": "gone"},
                    {"recordName": "a", "desiredKeys": ["x"], "recordType": "Other", "fields": {}, "deleted": false},
                    {"recordName": "b"}], "zoneID": null, "desiredKeys": null}
                """)
            #expect(answer.recordNames == ["b", "gone", "a", "b"])
            #expect(answer["records.1"]?.keys == ["recordName", "reason", "serverErrorCode"])
            #expect(answer["records.1.reason"] == "Record not found")
            #expect(answer["records.2.fields"]?.keys == ["x"])
        }
    }

    @Test("A single object counts as a list of one") func loneObject() async throws {
        try await TestServer.run { server in
            let answer = try await server.app().post("public/records/lookup", #"{"records": {"recordName": "x"}}"#)
            #expect(answer.column("records", "serverErrorCode") == ["NOT_FOUND"])
        }
    }

    @Test("A malformed lookup request is answered BAD_REQUEST")
    func malformed() async throws {
        try await TestServer.run { server in
            for body in [
                "{}", #"{"records": "a"}"#, #"{"records": ["a"]}"#, #"{"records": [{}]}"#,
                #"{"records": [{"recordName": 5}]}"#, #"{"records": [{"recordName": null}]}"#,
                #"{"records": [{"recordName": "a", "desiredKeys": 7}]}"#,
                #"{"records": [], "zoneID": {"zoneName": "Z"}}"#,
            ] {
                let answer = try await server.app().post("public/records/lookup", body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.code == "BAD_REQUEST", "\(body)")
            }
        }
    }

    @Test("A lookup takes 200 names at most") func limit() async throws {
        try await TestServer.run { server in
            let names = (0...200).map { #"{"recordName": "n\#($0)"}"# }
            let refused = try await server.app().post(
                "public/records/lookup", #"{"records": [\#(names.joined(separator: ","))]}"#)
            #expect(refused.status == 400)
            #expect(refused.reason.contains("200"))
            let all = names.dropLast().joined(separator: ",")
            let answer = try await server.app().post("public/records/lookup", #"{"records": [\#(all)]}"#)
            #expect(answer.recordNames.count == 200)
        }
    }

    /// Names that elsewhere would be paths, quotes or wildcards are just names.
    @Test(
        "Record names with slashes, quotes or wildcards come back unchanged",
        arguments: [
            "Reminder/5F-1", "../../etc/passwd", "a'b", #"a\"b"#, "Mei Chen", "😀", "a:b+c=d@e-f", "%", "a_",
            "n'; DROP TABLE records",
            "\\u00e9", "\\u202e", "\\ufeff", String(repeating: "é", count: 255),
        ])
    func unusualNames(name: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([Operation.write("create", name)])
            #expect(answer["records.0.recordType"] == "Note")
            let found = try await mei.lookup(name)
            #expect(found["records.0.recordType"] == "Note")
            #expect(found["records.0.recordName"] == answer["records.0.recordName"])
        }
    }

    @Test("A lookup in a missing custom zone fails as a whole") func missingZone() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.lookup(zone: "Nowhere", "a")
            #expect(answer.status == 404)
            #expect(answer.code == "ZONE_NOT_FOUND")
        }
    }
}
