@testable import CloudHTTP
import CloudEngine
import CloudWire
import CloudServer
import TestCloud
import CloudAssets
import CloudModel
import NIOCore
import Testing

/// `/emulator/1/containers/{container}/snapshots`.
@Suite(.timeLimit(.minutes(10)))
struct SnapshotTests {
    private static let path = "/emulator/1/containers/iCloud.com.example.test/snapshots"

    private func send(
        _ server: TestServer, _ method: HTTPRequest.Method, _ name: String = "", _ body: String = ""
    ) async throws -> Answer {
        try await server.send(method, Self.path + name, body: ByteBuffer(string: body))
    }

    private func names(_ server: TestServer) async throws -> [String] {
        let list = try await send(server, .get)
        #expect(list.status == 200, "\(list.text)")
        return (list["snapshots"]?.array ?? []).compactMap { $0.object?["name"]?.string }
    }

    @Test("A snapshot can be restored any number of times") func restore() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.makeZone("notes")
            try await app.save(zone: "notes", "one")
            #expect(try await send(server, .put, "/seeded").status == 200)
            for _ in 0..<2 {
                try await app.save(zone: "notes", "two")
                try await app.makeZone("more")
                let restored = try await send(server, .post, "/seeded/restore")
                #expect(restored.status == 200 && restored["syncTokens"]?.string == "kept", "\(restored.text)")
                #expect(try await app.lookup(zone: "notes", "one")["records.0.recordName"]?.string == "one")
                #expect(
                    try await app.lookup(zone: "notes", "two")["records.0.serverErrorCode"]?.string == "NOT_FOUND")
                #expect(try await app.get("private/zones/list").text.contains("more") == false)
            }
        }
    }

    @Test("Sync tokens from before a snapshot survive on request, and later ones never do", arguments: [true, false])
    func syncTokens(areKept: Bool) async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.makeZone("notes")
            try await app.save(zone: "notes", "one")
            let before = try await token(app)
            #expect(try await send(server, .put, "/s").status == 200)
            try await app.save(zone: "notes", "two")
            let after = try await token(app)
            let body = areKept ? "" : #"{"syncTokens": "refused"}"#
            let restored = try await send(server, .post, "/s/restore", body)
            #expect(restored.status == 200, "\(restored.text)")
            for grows in [false, true] {
                if grows { for name in ["three", "four"] { try await app.save(zone: "notes", name) } }
                let known = try await changes(app, before)
                #expect((known["zones.0.serverErrorCode"] == nil) == areKept, "\(known.text)")
                if areKept { #expect(known.text.contains("three") == grows && !known.text.contains("two")) }
                let lost = try await changes(app, after)
                #expect(lost["zones.0.serverErrorCode"]?.string == "BAD_REQUEST", "\(lost.text)")
            }
            #expect(try await changes(app, try await token(app))["zones.0.serverErrorCode"] == nil)
        }
    }

    private func changes(_ app: App, _ token: String?) async throws -> Answer {
        let token = token.map { #", "syncToken": "\#($0)""# } ?? ""
        return try await app.post("private/changes/zone", #"{"zones": [{"zoneID": {"zoneName": "notes"}\#(token)}]}"#)
    }

    private func token(_ app: App) async throws -> String {
        try #require(try await changes(app, nil)["zones.0.syncToken"]?.string)
    }

    @Test("Snapshots are listed by name, replaced and deleted") func snapshotNames() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            #expect(try await names(server).isEmpty)
            for name in ["b", "a", "A", "b"] {
                let kept = try await send(server, .put, "/\(name)")
                #expect(kept.status == 200, "\(kept.text)")
            }
            #expect(try await names(server) == ["A", "a", "b"])
            try await app.save("one")
            #expect(try await send(server, .put, "/b").status == 200)
            #expect(try await send(server, .post, "/b/restore").status == 200)
            #expect(try await app.lookup("one")["records.0.recordName"]?.string == "one")
            #expect(try await send(server, .delete, "/b").status == 200)
            #expect(try await names(server) == ["A", "a"])
            for (method, rest) in [(HTTPRequest.Method.delete, ""), (.post, "/restore")] {
                let answer = try await send(server, method, "/b" + rest)
                #expect(answer.status == 404 && answer.text.contains("snapshot 'b' does not exist"))
            }
        }
    }

    @Test("Malformed snapshot requests are refused, and there are at most 100 snapshots")
    func refused() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            for name in ["/.hidden", "/a%2Fb", "/%2e%2e", "/caf%C3%A9", "/" + String(repeating: "x", count: 65)] {
                let answer = try await send(server, .put, name)
                #expect(answer.status == 400 && answer.text.contains("1 to 64 letters"), "\(name): \(answer.text)")
            }
            #expect(try await send(server, .put, "/s").status == 200)
            for (body, named) in [
                (#"{"syncTokens": "lost"}"#, "kept, refused"), (#"{"tokens": "kept"}"#, "syncTokens"), ("[]", "object"),
            ] {
                let answer = try await send(server, .post, "/s/restore", body)
                #expect(answer.status == 400 && answer.text.contains(named), "\(answer.text)")
            }
            for index in 1..<100 { #expect(try await send(server, .put, "/s\(index)").status == 200) }
            let beyond = try await send(server, .put, "/beyond")
            #expect(beyond.status == 400 && beyond.text.contains("100"), "\(beyond.text)")
            #expect(try await send(server, .put, "/s99").status == 200)
        }
    }

    @Test("A restore brings assets back, and assets outside every snapshot are deleted", .everyAssetKeeping)
    func assets() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            let photo = try await app.saveFile([1, 2, 3])
            #expect(try await send(server, .put, "/s").status == 200)
            let reset = "/emulator/1/containers/iCloud.com.example.test/reset"
            #expect(try await server.send(.post, reset, body: ByteBuffer()).status == 200)
            #expect(try await server.download(photo).status == 404)
            #expect(try await assetFolders(server) == 1)
            #expect(try await send(server, .post, "/s/restore").status == 200)
            #expect(try await server.download(photo).bytes == [1, 2, 3])
            #expect(try await assetFolders(server) == 2)
            #expect(try await send(server, .delete, "/s").status == 200)
            #expect(try await server.download(photo).bytes == [1, 2, 3])
            #expect(try await assetFolders(server) == 1)
        }
    }

    private func assetFolders(_ server: TestServer) async throws -> Int {
        try await server.folder.assets.folders(beginningWith: "").count
    }

    @Test("A device of the snapshot is notified again, and one registered since is not") func devices() async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .seconds(0.05) }) { server in
            let app = try await server.signIn("mei@example.com")
            try await app.watchNotes()
            let ear = try await app.ear("one")
            #expect(try await send(server, .put, "/s").status == 200)
            let later = try await app.ear("two")
            try await app.save("a")
            #expect(try await [ear.news(), later.news()] == ["notes a", "notes a"])
            #expect(try await send(server, .post, "/s/restore").status == 200)
            try await app.save("b")
            #expect(try await ear.news() == "notes b")
            #expect(try await later.poll().status == 404)
        }
    }

    @Test("A waiting poll survives a restore") func waitingPoll() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.watchNotes()
            let ear = try await app.ear()
            #expect(try await send(server, .put, "/s").status == 200)
            async let news = ear.poll()
            #expect(try await send(server, .post, "/s/restore").status == 200)
            try await app.save("a")
            #expect(try await news.news == "notes a")
        }
    }

    @Test("A restore beside writes completes, and later writes are kept")
    func concurrentWrites() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            try await app.save("kept")
            #expect(try await send(server, .put, "/s").status == 200)
            try await app.writeMuch { try await send(server, .post, "/s/restore") }
            #expect(try await app.lookup("kept")["records.0.recordName"]?.string == "kept")
            try await app.save("after")
            #expect(try await app.lookup("after")["records.0.recordName"]?.string == "after")
        }
    }

    @Test("Without --dev snapshots have no path") func production() async throws {
        try await TestServer.run(dev: false) { server in
            for path in ["", "/s", "/s/restore"] {
                let answer = try await server.client.execute(uri: Self.path + path, method: .post)
                #expect(answer.status.code == 404)
            }
        }
    }
}
