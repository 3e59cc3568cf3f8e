import CloudAccounts
import TestCloud
import CloudModel
import Testing

/// All or nothing in custom zones, each for itself elsewhere (reference A §4.4).
struct AtomicBatchTests {
    private static let batch = [
        Operation.write("create", "n1"), Operation.write("update", "taken", tag: "0"), Operation.delete("n2"),
    ]

    @Test("A batch in a custom zone is atomic by default", arguments: ["", #", "atomic": true"#, #", "atomic": null"#])
    func atomicByDefault(options: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "taken")
            let before = try await mei.changes("Z")["syncToken"]?.string
            let answer = try await mei.modify(zone: "Z", Self.batch, options: options)
            #expect(answer.status == 200)
            #expect(answer.json.keys == ["records"])
            #expect(answer.recordNames == ["n1", "taken", "n2"])
            #expect(answer.column("records", "serverErrorCode") == ["ATOMIC_ERROR", "CONFLICT", "ATOMIC_ERROR"])
            #expect(answer["records.0.reason"] == "not saved because of previous error in atomic zone")
            let after = try await mei.changes("Z", since: before)
            #expect(after["records"] == .array([]))
            #expect(after["syncToken"]?.string == before)
        }
    }

    @Test("With the container's switch on, a failed batch is answered 400 with the failing record")
    func statusSwitch() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "taken")
            _ = try await server.accounts.containers.update(name: mei.container, atomicErrorStatus: true)
            let answer = try await mei.modify(zone: "Z", Self.batch)
            #expect(answer.status == 400)
            #expect(answer.json.keys == ["uuid", "serverErrorCode", "reason", "records"])
            #expect(answer.code == "ATOMIC_ERROR")
            #expect(answer.reason == "record 'taken': CONFLICT, client oplock error updating record")
            #expect(answer.recordNames == ["n1", "taken", "n2"])
            #expect(answer.column("records", "serverErrorCode") == ["ATOMIC_ERROR", "CONFLICT", "ATOMIC_ERROR"])
            let two = try await mei.modify(
                zone: "Z", [Operation.write("create", "taken"), Operation.write("create", "n", type: nil)])
            #expect(two.reason == "record 'taken': CONFLICT, record to insert already exists, and 1 more")
        }
    }

    @Test("A failed atomic batch returns the names generated for its unnamed records")
    func unnamedRecords() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let answer = try await mei.modify(
                zone: "Z", [Operation.write("create", nil), Operation.write("create", nil, type: nil)])
            #expect(answer.status == 200)
            #expect(answer.recordNames.count == 2)
            #expect(answer.recordNames.allSatisfy { $0.count == 36 })
        }
    }

    @Test("With atomic set to false each operation succeeds or fails by itself") func notAtomic() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            try await mei.save(zone: "Z", "taken")
            let answer = try await mei.modify(zone: "Z", Self.batch, options: #", "atomic": false"#)
            #expect(answer.status == 200)
            #expect(answer["records.0.recordType"] == "Note")
            #expect(answer["records.1.serverErrorCode"] == "CONFLICT")
            #expect(answer["records.2.deleted"] == true)
        }
    }

    @Test("In a default zone atomic is ignored", arguments: ["private", "public"])
    func defaultZone(database: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save(in: database, "taken")
            let answer = try await mei.modify(in: database, Self.batch, options: #", "atomic": true"#)
            #expect(answer.status == 200)
            #expect(answer["records.0.recordType"] == "Note")
            #expect(answer["records.1.serverErrorCode"] == "CONFLICT")
        }
    }

    @Test("A broken reference fails the batch with its own error code") func brokenReference() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let field = #""to": {"value": {"recordName": "gone", "action": "VALIDATE"}}"#
            let answer = try await mei.modify(
                zone: "Z", [Operation.write("create", "n1", fields: field), Operation.write("create", "n2")])
            #expect(answer.status == 200)
            #expect(answer.column("records", "serverErrorCode") == ["VALIDATING_REFERENCE_ERROR", "ATOMIC_ERROR"])
            let parent = try await mei.modify(
                zone: "Z", [Operation.write("create", "n1", extra: #", "parent": {"recordName": "gone"}"#)],
                options: #", "atomic": false"#)
            #expect(parent.status == 200)
            #expect(parent["records.0.serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
        }
    }

    @Test("A reference to a record of the same batch is valid in any order")
    func batchReferences() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("Z")
            let field = #""to": {"value": {"recordName": "n2", "action": "VALIDATE"}}"#
            let answer = try await mei.modify(
                zone: "Z",
                [
                    Operation.write("create", "n1", fields: field, extra: #", "parent": {"recordName": "n2"}"#),
                    Operation.write("create", "n2"),
                ])
            #expect(answer.status == 200)
            #expect(answer["records.0.parent.recordName"] == "n2")
            let blocked = try await mei.modify(zone: "Z", [Operation.delete("n2")], options: #", "atomic": false"#)
            #expect(blocked["records.0.serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
            let together = try await mei.modify(zone: "Z", [Operation.delete("n2"), Operation.delete("n1")])
            #expect(together.status == 200)
        }
    }
}
