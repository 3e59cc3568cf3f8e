import TestCloud
import CloudModel
import Testing

/// Operations of records/modify, and their refusals (reference A §4).
struct ModifyRecordsTests {
    @Test("A created record has every key that clients need") func createdKeys() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([
                Operation.write("create", "n1", fields: #""title": {"value": "Coast"}"#)
            ])
            #expect(answer.status == 200)
            let record = try #require(answer["records.0"])
            #expect(
                record.keys == [
                    "recordName", "recordType", "fields", "pluginFields", "recordChangeTag", "created", "modified",
                    "deleted", "zoneID",
                ])
            #expect(record[path: "fields.title"]?.keys == ["value", "type"])
            #expect(record[path: "created"]?.keys == ["timestamp", "userRecordName", "deviceID"])
            #expect(record[path: "created.userRecordName"]?.string == mei.user)
            #expect(record[path: "zoneID.zoneName"] == "_defaultZone")
            #expect(record[path: "zoneID.ownerRecordName"]?.string == mei.user)
        }
    }

    @Test("A record without a name gets one") func unnamed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([Operation.write("create", nil), Operation.write("forceUpdate", nil)])
            #expect(answer.column("records", "recordType") == ["Note", "Note"])
            #expect(Set(answer.recordNames).count == 2)
        }
    }

    @Test(
        "Writing a missing record is NOT_FOUND, and a forced write creates it",
        arguments: [
            ("create", true), ("update", false), ("forceUpdate", true), ("replace", false), ("forceReplace", true),
        ])
    func missingRecord(kind: String, isMade: Bool) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = isMade ? nil : "1"
            let answer = try await mei.modify([Operation.write(kind, "n1", tag: tag)])
            #expect(answer.status == 200)
            if isMade {
                #expect(answer["records.0.recordType"] == "Note")
            } else {
                #expect(answer["records.0.serverErrorCode"] == "NOT_FOUND")
                #expect(answer["records.0.reason"] == "recordChangeTag specified, but record not found")
                #expect(answer["records.0"]?.keys == ["recordName", "reason", "serverErrorCode"])
            }
        }
    }

    @Test(
        "An update keeps the fields it does not name, a replace drops them",
        arguments: [("update", true), ("forceUpdate", true), ("replace", false), ("forceReplace", false)])
    func unnamedFields(kind: String, areKept: Bool) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = try await mei.save("n1", fields: #""a": {"value": 1}, "b": {"value": 2}"#)
            let answer = try await mei.modify([
                Operation.write(kind, "n1", type: nil, tag: tag, fields: #""b": {"value": 3}"#)
            ])
            #expect(answer["records.0.fields.a.value"] == (areKept ? 1 : nil))
            #expect(answer["records.0.fields.b.value"] == 3)
            #expect(answer["records.0.recordChangeTag"] != .string(tag))
        }
    }

    @Test("An update with a stale change tag is a conflict", arguments: ["update", "replace"])
    func staleTag(kind: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = try await mei.save("n1")
            try await mei.save("n1")
            let answer = try await mei.modify([Operation.write(kind, "n1", tag: tag)])
            #expect(answer.status == 200)
            #expect(answer["records.0.serverErrorCode"] == "CONFLICT")
            #expect(answer["records.0.reason"] == "client oplock error updating record")
        }
    }

    @Test("Creating an existing record is a conflict") func existingRecord() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n1")
            let answer = try await mei.modify([Operation.write("create", "n1")])
            #expect(answer["records.0.serverErrorCode"] == "CONFLICT")
            #expect(answer["records.0.reason"] == "record to insert already exists")
        }
    }

    @Test("A deletion needs the current change tag unless it is forced") func deletion() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let tag = try await mei.save("n1")
            let bare = #"{"operationType": "delete", "record": {"recordName": "n1"}}"#
            let untagged = try await mei.modify([bare])
            #expect(untagged["records.0.serverErrorCode"] == "BAD_REQUEST")
            let stale = try await mei.modify([Operation.delete("n1", tag: "zz")])
            #expect(stale["records.0.serverErrorCode"] == "CONFLICT")
            let deleted = try await mei.modify([Operation.delete("n1", tag: tag)])
            #expect(deleted["records.0"]?.keys == ["recordName", "deleted"])
            let again = try await mei.modify([Operation.delete("n1", tag: tag), Operation.delete("n2")])
            #expect(again["records.0.serverErrorCode"] == "NOT_FOUND")
            #expect(again["records.1.deleted"] == true)
            let found = try await mei.lookup("n1")
            #expect(found["records.0.serverErrorCode"] == "NOT_FOUND")
        }
    }

    @Test(
        "A refused operation leaves the others of its request alone",
        arguments: [
            Operation.write("create", "n1", type: nil), Operation.write("create", "", type: "Note"),
            Operation.write("create", "_n1"), Operation.write("create", "a\\u0000b"),
            Operation.write("create", "a\\nb"),
            Operation.write("create", String(repeating: "x", count: 256)),
            Operation.write("create", "n1", type: "No te"),
            Operation.write("create", "n1", type: "cloudkit.share"), Operation.write("update", "n1"),
            Operation.write("create", "n1", fields: #""_a": {"value": 1}"#),
            Operation.write("create", "n1", fields: #""a": 5"#),
            Operation.write("create", "n1", fields: #""a": {"value": 1.5, "type": "TIMESTAMP"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": 9223372036854775808, "type": "INT64"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": "NaN", "type": "DOUBLE"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": 1, "type": "DATE"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": [[1]], "type": "INT64_LIST"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": [1, "x"], "type": "INT64_LIST"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": "=", "type": "BYTES"}"#),
            Operation.write("create", "n1", fields: #""a": {"value": {"latitude": 91, "longitude": 0}}"#),
            Operation.write("create", "n1", fields: #""a": {"value": {"recordName": "x", "action": "BURN"}}"#),
            Operation.write("create", "n1", extra: #", "desiredKeys": 3"#),
        ])
    func refusedOperation(operation: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify([operation, Operation.write("create", "other")])
            #expect(answer.status == 200)
            #expect(answer["records.0.serverErrorCode"] == "BAD_REQUEST")
            #expect(answer["records.1.recordName"] == "other")
            #expect(answer["records.1.recordType"] == "Note")
        }
    }

    @Test("A malformed records/modify request is answered BAD_REQUEST")
    func malformed() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for body in [
                "{}", #"{"operations": 5}"#, #"{"operations": [5]}"#, #"{"operations": [{"record": {}}]}"#,
                #"{"operations": [{"operationType": "upsert", "record": {}}]}"#,
                #"{"operations": [{"operationType": "create"}]}"#,
                #"{"operations": [{"operationType": 1, "record": {}}]}"#,
                #"{"operations": [{"operationType": "create", "record": {"recordName": 1}}]}"#,
                #"{"operations": [], "atomic": "yes"}"#, #"{"operations": [], "desiredKeys": 5}"#,
                #"{"operations": [], "zoneID": "Z"}"#, #"{"operations": [], "zoneID": {}}"#,
                #"{"operations": [], "zoneID": {"zoneName": 5}}"#, #"{"operations": [], "numbersAsStrings": "yes"}"#,
                #"{"operations": [{"operationType": "forceDelete", "record": {"recordName": "a"}}, {"operationType": "create", "record": {"recordName": "a", "recordType": "T"}}]}"#,
            ] {
                let answer = try await mei.post("private/records/modify", body)
                #expect(answer.status == 400, "\(body)")
                #expect(answer.code == "BAD_REQUEST", "\(body)")
            }
        }
    }

    @Test("200 operations are allowed, 201 are refused with the number")
    func limit() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let operations = (0...200).map { Operation.write("create", "n\($0)") }
            let refused = try await mei.modify(operations)
            #expect(refused.status == 400)
            #expect(refused.reason.contains("201") && refused.reason.contains("200"))
            let answer = try await mei.modify(Array(operations.dropLast()))
            #expect(answer.recordNames == (0..<200).map { "n\($0)" })
        }
    }

    @Test("A write to an unknown zone fails as a whole") func unknownZone() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let answer = try await mei.modify(zone: "Nowhere", [Operation.write("create", "n1")])
            #expect(answer.status == 404)
            #expect(answer.code == "ZONE_NOT_FOUND")
        }
    }
}
