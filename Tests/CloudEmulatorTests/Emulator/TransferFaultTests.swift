import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import TestWire
import Testing

/// Faults that the bytes of requests and answers meet, and those of feeds.
@Suite(.timeLimit(.minutes(10)))
struct TransferFaultTests {
    private static let path = "/emulator/1/faults"

    /// A link without its origin.
    private static func path(of link: String) -> String { "/" + link.split(separator: "/", maxSplits: 2)[2] }

    private func add(_ fault: String, to server: TestServer) async throws {
        let added = try await server.send(.post, Self.path, body: ByteBuffer(string: fault))
        #expect(added.status == 200, "\(added.text)")
    }

    @Test("An upload cut at a byte stores nothing, and its link stays good")
    func cutUpload() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let link = try await Self.path(of: mei.uploadLinks()[0])
            try await add(
                #"{"container": "\#(mei.container)", "route": "/uploads", "count": 1, "cutAt": 1000}"#, to: server)
            let wire = try Wire(port: port)
            let bytes = [UInt8](repeating: 7, count: 5000)
            let head = "POST \(link) HTTP/1.1\r\nHost: a\r\nContent-Length: \(bytes.count)\r\n\r\n"
            // The connection may end while the rest is still on its way.
            try? await wire.send(Array(head.utf8) + bytes)
            let answer = (try? await wire.readAll()) ?? ""
            #expect(!answer.contains("200"), "\(answer)")
            #expect(try await server.send(.get, Self.path)["faults.0.decided"]?.integer == 1)
            let again = try await server.send(.post, link, body: ByteBuffer(bytes: bytes))
            #expect(again.status == 200 && again["singleFile.size"]?.integer == 5000, "\(again.text)")
        }
    }

    @Test("A cut answer ends in the middle, and its operation is done")
    func cutAnswer() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            let body = #"{"operations": [\#(Operation.write("create", "n1"))]}"#
            try await wire.send(
                mei.bytes("private/records/modify", body, headers: "X-Cumulus-Fault: {\"cutAt\": 10}\r\n"))
            let text = try await wire.readAll()
            let parts = text.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 2 && parts[1] == #"{"records""#, "\(text)")
            #expect(try await mei.lookup("n1")["records.0.recordName"]?.string == "n1")
        }
    }

    @Test("Uploads and downloads are limited to the bandwidth")
    func bandwidth() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let link = try await Self.path(of: mei.uploadLinks()[0])
            try await mei.save("n1", fields: #""title": {"value": "\#(String(repeating: "x", count: 2000))"}"#)
            try await add(#"{"bandwidth": 10000}"#, to: server)
            var began = ContinuousClock.now
            let upload = try await server.send(.post, link, body: ByteBuffer(repeating: 7, count: 4000))
            #expect(upload.status == 200 && upload["singleFile.size"]?.integer == 4000, "\(upload.text)")
            #expect(ContinuousClock.now - began >= .milliseconds(390))
            began = .now
            let record = try await mei.lookup("n1")
            #expect(record["records.0.fields.title.value"]?.string?.count == 2000)
            #expect(ContinuousClock.now - began >= .milliseconds(200))
        }
    }

    @Test("A fault refuses a sync token as expired, or one zone of several with its error")
    func feeds() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            for name in ["A", "B"] { try await mei.makeZone(name) }
            let token = try await mei.changes("A")["syncToken"]?.string
            try await add(#"{"syncToken": "refused", "count": 3}"#, to: server)
            let refused = try await mei.changes("A", since: token)
            #expect(refused.code == "BAD_REQUEST" && refused.text.contains("Unknown sync continuation"))
            let all = try await mei.post("private/changes/database", #"{"syncToken": "x"}"#)
            #expect(all.code == "BAD_REQUEST", "\(all.text)")
            #expect(try await mei.changes("A")["moreComing"]?.bool == false)
            try await add(#"{"route": "changes/zone", "operation": 1, "error": "ZONE_NOT_FOUND"}"#, to: server)
            let zones = #"{"zones": [{"zoneID": {"zoneName": "A"}}, {"zoneID": {"zoneName": "B"}}]}"#
            let answer = try await mei.post("private/changes/zone", zones)
            #expect(answer["zones.0.syncToken"] != nil, "\(answer.text)")
            #expect(answer["zones.1.serverErrorCode"]?.string == "ZONE_NOT_FOUND", "\(answer.text)")
        }
    }
}
