import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// `POST /emulator/1/containers/{container}/seed`.
@Suite(.timeLimit(.minutes(10)))
struct SeedTests {
    private static let path = "/emulator/1/containers/iCloud.com.example.test/seed"

    private func plant(_ server: TestServer, _ lines: String...) async throws -> Answer {
        try await server.send(
            .post, Self.path, headers: [.contentType: "application/x-ndjson"],
            body: ByteBuffer(string: lines.joined(separator: "\n")))
    }

    private static let note = #"{"record": {"recordType": "Note", "recordName": "n1", "fields": {"title": "Milk"}}"#

    @Test("A seed's people, zones and records exist after seeding once or again")
    func planting() async throws {
        try await TestServer.run { server in
            for title in ["Milk", "Bread"] {
                let planted = try await plant(
                    server, #"{"person": "mei@example.com", "givenName": "Mei", "familyName": "Chen"}"#, "",
                    #"{"zone": "Notes", "of": "mei@example.com"}"#,
                    Self.note.replacing("Milk", with: title) + #", "of": "mei@example.com", "zone": "Notes"}"#,
                    Self.note.replacing("n1", with: "n2") + #", "by": "tom@example.com"}"#,
                    Self.note.replacing("n1", with: "n3").replacing(#""Milk""#, with: #"{"value": "Oil"}"#) + "}")
                #expect(planted["people"]?.integer == 1 && planted["zones"]?.integer == 1, "\(planted.text)")
                #expect(planted["records"]?.integer == 3)
                let mei = try await server.signIn("mei@example.com")
                let mine = try await mei.lookup(zone: "Notes", "n1")
                #expect(mine["records.0.fields.title.value"]?.string == title)
                #expect(mine["records.0.created.userRecordName"]?.string == mei.user)
                let tom = try await server.signIn("tom@example.com")
                let all = try await tom.lookup(in: "public", "n2", "n3")
                #expect(all["records.0.created.userRecordName"]?.string == tom.user)
                #expect(all["records.1.fields.title.value"]?.string == "Oil")
            }
        }
    }

    @Test(
        "A mistake in a seed is reported with its line and what was expected",
        arguments: [
            ("{", "is not valid JSON"), ("[]", "must be a JSON object"),
            ("{}", "must have one of person, zone and record"),
            (#"{"person": 1}"#, "person: must be a string"), (#"{"person": "nobody"}"#, "email"),
            (#"{"zone": "Notes"}"#, "of: is missing"), (#"{"zone": "_x y", "of": "mei@example.com"}"#, "zone"),
            (#"{"record": 1}"#, "record: must be an object"),
            (#"{"record": {"recordType": "Note"}}"#, "record: recordName must be a string"),
            (note + #", "colour": 1}"#, "'colour': unknown member"),
            (note + #", "of": "a@example.com", "by": "b@example.com"}"#, "by: is for public records"),
            (note.replacing(#""Milk""#, with: "true") + "}", "title"),
            (note + #", "of": "mei@example.com", "zone": "Nowhere"}"#, "Zone not found"),
            (note.replacing(#""Milk""#, with: "7") + #", "of": "mei@example.com"}"#, "title"),
        ])
    func mistakes(line: String, reason: String) async throws {
        try await TestServer.run { server in
            let first = Self.note.replacing("n1", with: "n0") + #", "of": "mei@example.com"}"#
            let refused = try await plant(server, first, "", line)
            #expect((400..<500).contains(refused.status), "\(refused.text)")
            let said = refused["reason"]?.string ?? ""
            #expect(said.hasPrefix("line 3: ") && said.contains(reason), "\(said)")
        }
    }

    @Test("Without --dev seeds have no path") func production() async throws {
        try await TestServer.run(dev: false) { server in
            let answer = try await server.client.execute(uri: Self.path, method: .post)
            #expect(answer.status.code == 404)
        }
    }
}
