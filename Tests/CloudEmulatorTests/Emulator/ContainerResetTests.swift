@testable import CloudHTTP
import TestCloud
import CloudModel
import NIOCore
import Testing

/// `POST /emulator/1/containers/{container}/reset`.
@Suite(.timeLimit(.minutes(10)))
struct ContainerResetTests {
    private static let path = "/emulator/1/containers/iCloud.com.example.test/reset"

    private func reset(_ server: TestServer, _ body: String = "", headers: HTTPFields = [:]) async throws -> Answer {
        try await server.send(.post, Self.path, headers: headers, body: ByteBuffer(string: body))
    }

    @Test("A reset removes records and zones and keeps sessions") func recordsAndZones() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.makeZone("notes")
            try await app.save(zone: "notes", "one")
            try await app.save("two")
            #expect(try await reset(server).status == 200)
            #expect(try await app.lookup("two")["records.0.serverErrorCode"]?.string == "NOT_FOUND")
            let zones = try await app.get("private/zones/list")
            #expect(zones.status == 200 && !zones.text.contains("notes"))
            try await app.save("two")
            #expect(try await app.lookup("two")["records.0.recordName"]?.string == "two")
        }
    }

    @Test("Sync tokens from before a reset are refused") func oldSyncTokens() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.makeZone("notes")
            try await app.save(zone: "notes", "one")
            let body = #"{"zones": [{"zoneID": {"zoneName": "notes"}TOKEN}]}"#
            let before = try await app.post("private/changes/zone", body.replacing("TOKEN", with: ""))
            let token = try #require(before["zones.0.syncToken"]?.string)
            #expect(try await reset(server).status == 200)
            try await app.makeZone("notes")
            let after = try await app.post(
                "private/changes/zone", body.replacing("TOKEN", with: #", "syncToken": "\#(token)""#))
            #expect(after["zones.0.serverErrorCode"]?.string == "BAD_REQUEST", "\(after.text)")
        }
    }

    @Test("A reset with keepSchema keeps the schema", arguments: [true, false])
    func keptSchema(keeps: Bool) async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.save("one", type: "Letter")
            let answer = try await reset(server, #"{"keepSchema": \#(keeps)}"#)
            #expect(answer["keptSchema"] == .bool(keeps))
            let query = try await app.post("private/records/query", #"{"query": {"recordType": "Letter"}}"#)
            #expect(query.text.contains("one") == false)
            #expect(query.status == (keeps ? 200 : 404), "\(query.text)")
        }
    }

    @Test("Wrong bodies and unknown containers are refused") func refusals() async throws {
        try await TestServer.run { server in
            #expect(try await reset(server).status == 404)
            _ = try await server.signIn("mei@example.com")
            let wrong = try await reset(server, #"{"keepSchema": 1}"#)
            #expect(wrong.status == 400 && wrong.text.contains("keepSchema"))
            let unknown = try await reset(server, #"{"keepPeace": true}"#)
            #expect(unknown.status == 400 && unknown.text.contains("keepPeace"))
        }
    }

    @Test("Other sites cannot reset a container, and production has no reset path")
    func otherSites() async throws {
        try await TestServer.run { server in
            let answer = try await reset(server, headers: [.origin: "https://elsewhere.example"])
            #expect(answer.status == 403)
        }
        try await TestServer.run(dev: false) { server in
            let answer = try await server.client.execute(uri: Self.path, method: .post)
            #expect(answer.status.code == 404)
        }
    }

    @Test("Resets beside writes keep later writes") func concurrentWrites() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.writeMuch { try await reset(server) }
            try await app.save("after")
            #expect(try await app.lookup("after")["records.0.recordName"]?.string == "after")
        }
    }
}
