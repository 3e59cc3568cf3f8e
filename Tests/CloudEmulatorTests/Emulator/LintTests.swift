@testable import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import TestWire
import Testing

/// `/emulator/1/lint`: what clients should do otherwise.
@Suite(.timeLimit(.minutes(10)))
struct LintTests {
    private static let path = "/emulator/1/lint"

    /// Runs a server that watches `app`.
    private func watching(
        _ options: String = "{}", configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestServer, App) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: configure) { server in
            let app = try await server.signIn("mei@example.com")
            let answer = try await server.send(.post, Self.path, body: ByteBuffer(string: options))
            #expect(answer["isOn"]?.bool == true)
            try await body(server, app)
        }
    }

    /// The rules that were broken, each as often as it was.
    private func broken(_ server: TestServer) async throws -> [String: Int64] {
        let findings = try await server.send(.get, Self.path)["findings"]?.array ?? []
        return findings.reduce(into: [:]) {
            $0[$1[path: "rule"]?.string ?? "", default: 0] += $1[path: "count"]?.integer ?? 0
        }
    }

    @Test("A well-behaved client has no findings")
    func carefulClient() async throws {
        try await watching { server, app in
            try await app.makeZone("Notes")
            let tag = try await app.save(zone: "Notes", "one")
            _ = try await app.modify(zone: "Notes", [Operation.write("update", "one", tag: tag)])
            let first = try await app.changes("Notes")
            _ = try await app.changes("Notes", since: first["syncToken"]?.string)
            #expect(try await broken(server) == [:])
            #expect(try await server.send(.delete, Self.path)["isOn"]?.bool == false)
        }
    }

    @Test("Retrying before retryAfter is a finding, and waiting by either clock is not")
    func comingBackEarly() async throws {
        try await watching { server, app in
            let fault = #"{"route": "zones/list", "count": 2, "error": "THROTTLED", "retryAfter": 30}"#
            _ = try await server.send(.post, "/emulator/1/faults", body: ByteBuffer(string: fault))
            #expect(try await app.get("private/zones/list").status == 429)
            _ = try await app.lookup("other")
            #expect(try await broken(server) == [:])
            #expect(try await app.get("private/zones/list").status == 429)
            #expect(try await broken(server) == ["retryAfter": 1])
            _ = try await server.send(.put, "/emulator/1/clock", body: ByteBuffer(string: #"{"advance": 30}"#))
            #expect(try await app.get("private/zones/list").status == 200)
            #expect(try await broken(server) == ["retryAfter": 1])
        }
    }

    @Test("Leaving a feed before its end is a finding until it is continued")
    func leftFeed() async throws {
        try await watching { server, app in
            try await app.makeZone("Notes")
            for name in ["one", "two"] { try await app.save(zone: "Notes", name) }
            let page = try await app.changes("Notes", options: #", "resultsLimit": 1"#)
            #expect(page["moreComing"]?.bool == true)
            #expect(try await broken(server) == ["moreComing": 1])
            _ = try await app.changes("Notes", since: page["syncToken"]?.string)
            #expect(try await broken(server) == [:])
        }
    }

    @Test("Rereading a feed despite a sync token is a finding, except after a refusal or a reset")
    func feedReadAnew() async throws {
        try await watching { server, app in
            try await app.makeZone("Notes")
            let body = #"{"zones": [{"zoneID": {"zoneName": "Notes"}}]}"#
            for _ in 1...2 { _ = try await app.post("private/changes/zone", body) }
            #expect(try await broken(server) == ["syncToken": 1])
            for _ in 1...2 { _ = try await app.post("private/changes/database", "{}") }
            #expect(try await broken(server) == ["syncToken": 2])
            #expect(try await app.changes("Notes", since: "no token").status == 400)
            _ = try await app.changes("Notes")
            _ = try await server.send(.post, "/emulator/1/containers/\(app.container)/reset")
            try await app.makeZone("Notes")
            _ = try await app.changes("Notes")
            #expect(try await broken(server) == ["syncToken": 2])
            // Another device of the same person has a session of its own.
            _ = try await server.signIn("mei@example.com").changes("Notes")
            #expect(try await broken(server) == ["syncToken": 2])
        }
    }

    @Test("Forcing a save over a known record is a finding, unless the record was deleted since")
    func saveOverKnown() async throws {
        try await watching { server, app in
            try await app.save("one")
            #expect(try await broken(server) == [:])
            try await app.save("one")
            #expect(try await broken(server) == ["recordChangeTag": 1])
            _ = try await app.modify([Operation.delete("one")])
            try await app.save("one")
            #expect(try await broken(server) == ["recordChangeTag": 1])
            let other = try await server.signIn("mei@example.com")
            _ = try await other.lookup("one")
            try await other.save("one")
            #expect(try await broken(server) == ["recordChangeTag": 2])
        }
    }

    @Test(
        "A client without a clientId that is notified of its own change is a finding",
        arguments: [nil, "phone"], [nil, "phone"])
    func ownChange(name: String?, listeningAs listener: String?) async throws {
        try await watching { server, app in
            var app = app
            app.clientID = name
            try await app.watchNotes()
            let ear = try await app.ear(listener)
            var tablet = try await server.signIn("mei@example.com")
            tablet.clientID = "tablet"
            try await tablet.save("theirs")
            #expect(try await ear.news().contains("theirs"))
            #expect(try await broken(server) == [:])
            try await app.save("own")
            try await tablet.save("last")
            #expect(try await ear.news().contains(name == nil ? "own" : "last"))
            #expect(try await broken(server) == (name == nil ? ["clientId": 1] : [:]))
        }
    }

    @Test("Production refusals are findings, for queries and, with a whole schema, for saves")
    func refusedInProduction() async throws {
        try await watching(#"{"hasWholeSchema": true}"#) { server, app in
            try await app.save("one", fields: #""title": {"value": "Milk"}"#)
            #expect(try await broken(server) == ["production": 1])
            let query = #"{"query": {"recordType": "Note", "sortBy": [{"systemFieldName": "createdTimestamp"}]}}"#
            let answer = try await app.post("private/records/query", query)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await broken(server) == ["production": 2])
            let list = try await server.send(.get, Self.path)
            #expect(list.text.contains("is not marked"), "\(list.text)")
        }
    }

    @Test("Clients are watched only on request, and unknown members are refused")
    func unwatched() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            for _ in 1...2 { try await app.save("one") }
            let list = try await server.send(.get, Self.path)
            #expect(list["isOn"]?.bool == false && list["findings"]?.array == [])
            let refused = try await server.send(.post, Self.path, body: ByteBuffer(string: #"{"strict": true}"#))
            #expect(refused.status == 400 && refused.text.contains("hasWholeSchema"))
        }
    }
}
