import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import Foundation
import TestWire
import Testing

/// Downloads of zips whose share ends meanwhile.
@Suite(.timeLimit(.minutes(20)))
struct ZipStoppedTests {
    /// Larger than what the system keeps between two ends of a connection.
    private static let large = 24 << 20

    private func files(_ server: TestServer, _ mei: App) async throws -> String {
        try await mei.makeZone("Z")
        for (index, name) in ["root", "leaf"].enumerated() {
            let value = try await mei.upload(
                [UInt8](repeating: UInt8(ascii: "a") + UInt8(index), count: index == 0 ? Self.large : 6), zone: "Z")
            let parent = index == 0 ? "" : #", "parent": {"recordName": "root"}"#
            let operation = Operation.write("create", name, fields: #""file": {"value": \#(value)}"#, extra: parent)
            let answer = try await mei.modify(zone: "Z", [operation])
            #expect(answer["records.0.recordChangeTag"] != nil, "\(answer.text)")
        }
        return try await mei.share("root", in: "Z", permission: "READ_ONLY")
    }

    @Test(
        "A zip in progress ends early when its page is taken down", arguments: ["nothing", "stop", "leave", "delete"])
    func takenDown(what: String) async throws {
        // Who reads nothing while the share changes is not to be taken for one who has gone, however long that takes.
        try await TestServer.live(configure: { $0.idleTime = .seconds(3600) }) { server, port in
            let mei = try await server.signIn("mei@example.com")
            let guid = try await files(server, mei)
            let wire = try Wire(port: port)
            try await wire.send("GET /share/\(guid)/zip HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let head = try await wire.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200"))
            switch what {
            case "stop": _ = try await mei.modify(zone: "Z", [Operation.delete("Share-root")])
            case "leave":
                _ = try await mei.modify(
                    zone: "Z", [Operation.write("forceUpdate", "leaf", extra: #", "parent": null"#)])
            case "delete": _ = try await mei.modify(zone: "Z", [Operation.delete("leaf")])
            default: break
            }
            let rest = try await wire.readAll()
            #expect(rest.contains("bbbbbb") == (what == "nothing"))
            // Where it ends short, the last that was written may go with the connection.
            if what == "nothing" { #expect(rest.utf8.count > Self.large) }
        }
    }
}
