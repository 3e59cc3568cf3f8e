import CloudHTTP
import CloudModel
import NIOCore
import NIOEmbedded
import TestCloud
import TestWire
import Testing

@testable import CloudServer

/// Writes that are answered without a task.
@Suite(.timeLimit(.minutes(10)))
struct StartedWriteTests {
    private static let endpoint = "private/records/modify"

    private static func saving(_ type: String, _ name: String, _ text: String) -> String {
        """
        {"operations":[{"operationType":"\(type)","record":{"recordName":"\(name)","recordType":"Note",\
        "fields":{"text":{"value":"\(text)"}}}}]}
        """
    }

    /// The reply of the endpoint's work, started as an event loop would.
    private static func reply(_ server: TestServer, _ app: App, _ body: String) async throws -> Reply {
        let head = HTTPRequest(method: .post, authority: "a", path: app.target(endpoint))
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let call = RequestCall(
            request, server.responder.match(request.path, for: .post),
            CloudRequestContext(channel: NIOAsyncTestingChannel()))
        guard case .started(let work) = try server.responder.reply(to: call) else {
            throw ServerError(.internalError, "the write took a task", .server(.fault))
        }
        return try await work.finished()()
    }

    @Test("A small answer is made at once, and a large answer to a small write in a task") func sizes() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            // Opens the store, and fills the caches of credentials.
            for name in ["small", "other"] {
                _ = try await mei.post(Self.endpoint, Self.saving("forceReplace", name, "s"))
            }
            let large = String(repeating: "x", count: 300_000)
            _ = try await mei.post(Self.endpoint, Self.saving("forceReplace", "large", large))
            guard case .now(let small) = try await Self.reply(server, mei, Self.saving("forceUpdate", "small", "t"))
            else {
                Issue.record("a small answer took a task")
                return
            }
            #expect(small.status == .ok)
            let touch = #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"large"}}]}"#
            guard case .work(let work) = try await Self.reply(server, mei, touch),
                case .now(let answer) = try await work()
            else {
                Issue.record("a large answer was made at once")
                return
            }
            #expect((answer.body.contentLength ?? 0) > large.utf8.count)
        }
    }

    @Test("Pipelined writes and reads are answered in order, each once") func pipelined() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for _ in 0..<2 { _ = try await mei.post(Self.endpoint, Self.saving("forceReplace", "r", "first")) }
            let wire = try Wire(port: port)
            let lookup = #"{"records":[{"recordName":"r"}]}"#
            var bytes: [UInt8] = []
            for number in 0..<20 {
                bytes += mei.bytes(Self.endpoint, Self.saving("forceReplace", "r", "text \(number)"))
                bytes += mei.bytes("private/records/lookup", lookup)
            }
            try await wire.send(bytes)
            for number in 0..<20 {
                for _ in 0..<2 {
                    let answer = try await wire.readAnswer()
                    #expect(answer.head.hasPrefix("HTTP/1.1 200") && answer.body.contains("text \(number)\""))
                }
            }
        }
    }

    @Test("A refused write is answered as an error, and the connection goes on") func refused() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for _ in 0..<2 { _ = try await mei.post(Self.endpoint, Self.saving("forceReplace", "r", "s")) }
            let wire = try Wire(port: port)
            try await wire.send(
                mei.bytes(Self.endpoint, #"{"operations":[{"operationType":"fly","record":{}}]}"#)
                    + mei.bytes(Self.endpoint, Self.saving("create", "r", "t"))
                    + mei.bytes(Self.endpoint, Self.saving("forceReplace", "r", "u")))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 400"))
            #expect(try await wire.readAnswer().body.contains(#""serverErrorCode":"CONFLICT""#))
            #expect(try await wire.readAnswer().body.contains(#""value":"u""#))
        }
    }

    @Test("Writes whose clients have gone leave the server answering") func gone() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for _ in 0..<2 { _ = try await mei.post(Self.endpoint, Self.saving("forceReplace", "r", "s")) }
            for number in 0..<20 {
                let wire = try Wire(port: port)
                try await wire.send(mei.bytes(Self.endpoint, Self.saving("forceReplace", "gone \(number)", "s")))
            }
            let wire = try Wire(port: port)
            try await wire.send(mei.bytes(Self.endpoint, Self.saving("forceReplace", "last", "s")))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        }
    }
}
