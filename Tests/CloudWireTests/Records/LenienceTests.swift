import CloudHTTP
import TestCloud
import CloudModel
import Testing

/// Requests beyond the documentation that clients send, and that are accepted (clients 1, 8–14).
struct LenienceTests {
    @Test(
        "Unknown keys of an operation are ignored",
        arguments: [
            #""pluginFields": {}, "deleted": false"#,
            #""created": {"timestamp": 1, "userRecordName": "_x", "deviceID": "2"}"#,
            #""modified": {"timestamp": 1}, "fields": null"#, #""share": {"recordName": "s"}, "shortGUID": "g""#,
            #""zoneID": {"zoneName": "Elsewhere", "ownerRecordName": "_nobody"}"#, #""zoneID": 5"#,
            #""publicPermission": "NONE", "participants": [], "forRecord": {"recordName": "x", "more": 1}"#,
            #""parent": null, "recordChangeTag": null"#, #""somethingNew": [[[1]]]"#,
        ])
    func unknownKeys(extra: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([
                #"{"operationType": "create", "record": {"recordName": "n1", "recordType": "Note", \#(extra)}}"#
            ])
            #expect(answer["records.0.recordType"] == "Note")
            #expect(answer["records.0.zoneID.zoneName"] == "_defaultZone")
            #expect(answer["records.0.created.userRecordName"]?.string == mei.user)
            #expect(answer["records.0.shortGUID"] == nil)
        }
    }

    @Test(
        "A zone identifier is accepted in every form that clients send",
        arguments: [
            #"{"zoneName": "Z"}"#, #"{"zoneName": "Z", "zoneType": "REGULAR_CUSTOM_ZONE"}"#,
            #"{"zoneName": "Z", "ownerName": "__defaultOwner__"}"#, #"{"zoneName": "Z", "ownerRecordName": "USER"}"#,
            #"{"zoneName": "Z", "ownerName": "USER"}"#,
            #"{"zoneName": "Z", "ownerRecordName": null, "ownerName": "USER"}"#,
        ])
    func zoneForms(zone: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let zone = zone.replacing("USER", with: mei.user)
            let answer = try await mei.post(
                "private/records/modify", #"{"operations": [\#(Operation.write("create", "n1"))], "zoneID": \#(zone)}"#)
            #expect(answer.status == 200)
            #expect(answer["records.0.zoneID.zoneName"] == "Z")
            #expect(answer["records.0.zoneID.ownerRecordName"]?.string == mei.user)
        }
    }

    @Test(
        "A field without a value is cleared",
        arguments: ["{}", #"{"type": "INT64"}"#, #"{"value": null}"#, #"{"value": null, "type": "STRING"}"#, "null"])
    func clearedField(wrapper: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""a": {"value": 1}, "b": {"value": 2}"#)
            let answer = try await mei.modify([Operation.write("forceUpdate", "n1", fields: #""a": \#(wrapper)"#)])
            #expect(answer["records.0.fields"]?.keys == ["b"])
        }
    }

    /// The declared type decides what a bare value is, and is what the answer says.
    @Test(
        "A value without a type takes the declared type",
        arguments: [
            (#"{"value": 1422312944104, "type": "TIMESTAMP"}"#, #"{"value": 1422312944105}"#, "TIMESTAMP"),
            (#"{"type": "BYTES", "value": "AAAA"}"#, #"{"value": "Chen"}"#, "BYTES"),
            (#"{"value": 1.5, "type": "DOUBLE"}"#, #"{"value": 2}"#, "DOUBLE"),
            (#"{"value": "5", "type": "INT64"}"#, #"{"value": true}"#, "INT64"),
            (
                #"{"value": {"recordName": "a", "action": "NONE"}, "type": "REFERENCE"}"#,
                #"{"value": {"recordName": "b"}}"#, "REFERENCE"
            ),
            (#"{"value": ["a"], "type": "LIST"}"#, #"{"value": ["b"]}"#, "STRING_LIST"),
            (#"{"value": [1], "type": "INT64_LIST"}"#, #"{"value": []}"#, "INT64_LIST"),
            (#"{"value": [1], "type": "INT64_LIST"}"#, #"{"value": [], "type": "UNKNOWN_LIST"}"#, "INT64_LIST"),
        ])
    func declaredTypes(first: String, bare: String, type: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1", fields: #""a": \#(first)"#)
            let answer = try await mei.modify([Operation.write("create", "n2", fields: #""a": \#(bare)"#)])
            #expect(answer["records.0.fields.a.type"] == .string(type))
        }
    }

    @Test("A body is read as JSON whatever its Content-Type")
    func contentTypes() async throws {
        try await TestServer.run { server in
            for type in [
                "text/plain", "text/plain;charset=UTF-8", "application/json; charset=utf-8", "application/octet-stream",
                "",
                "multipart/form-data", "application/x-www-form-urlencoded",
            ] {
                let answer = try await server.app().post(
                    "public/records/lookup", #"{"records": []}"#, headers: type.isEmpty ? [:] : [.contentType: type])
                #expect(answer.status == 200, "\(type)")
            }
        }
    }

    @Test("Routes with GET take POST as well")
    func getAndPost() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for endpoint in ["zones/list", "users/caller", "users/current", "users/discover", "users/lookup/contacts"] {
                let answers = [
                    try await mei.get("public/\(endpoint)"), try await mei.post("public/\(endpoint)", ""),
                    try await mei.post("public/\(endpoint)", "{}"), try await mei.post("public/\(endpoint)", "{\n\n}"),
                ]
                for answer in answers {
                    #expect(answer.status == 200, "\(endpoint)")
                    #expect(answer.json == answers[0].json, "\(endpoint)")
                }
            }
        }
    }

    @Test(
        "The environment is accepted in any case, and any container name",
        arguments: ["development", "Development", "DEVELOPMENT"], ["iCloud.com.example", "com.example.photos", "x"])
    func spelling(environment: String, container: String) async throws {
        try await TestServer.run { server in
            var app = try await server.signIn("mei@example.com", container)
            app.environment = environment
            #expect(try await app.modify([Operation.write("create", "n1")]).status == 200)
            app.environment = "development"
            #expect(try await app.lookup("n1")["records.0.recordType"] == "Note")
        }
    }
}
