import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import Foundation
import TestWire
import Testing

/// Faults that only a socket can have. Nothing of them is stored, hangs or is answered with a 5xx.
@Suite(.timeLimit(.minutes(20)))
struct BrokenConnectionTests {
    private static let create = #"{"operations": [\#(Operation.write("create", "n1"))]}"#

    private static func isAbsent(_ app: App) async throws -> Bool {
        try await app.lookup("n1")["records.0.serverErrorCode"] == "NOT_FOUND"
    }

    @Test("A connection that closes in the middle of a body stores nothing") func closed() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for _ in 0..<5 {
                let wire = try Wire(port: port)
                try await wire.send(mei.cutBytes("private/records/modify", Self.create))
            }
            #expect(try await Self.isAbsent(mei))
        }
    }

    @Test("A connection that is half closed in the middle of a body is refused") func halfClosedBody() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            try await wire.send(mei.cutBytes("private/records/modify", Self.create))
            wire.finishSending()
            let answer = try await wire.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            #expect(answer.contains("the request ends before it is complete") && answer.contains("BAD_REQUEST"))
            #expect(try await Self.isAbsent(mei))
        }
    }

    @Test("A head that ends early is refused with the reason") func halfClosedHead() async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.sendLast("GET /health HTTP/1.1\r\nHost: a\r\nX-Half: ")
            let answer = try await wire.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("the request ends before it is complete"))
            #expect(answer.contains("uuid") && answer.lowercased().contains("access-control-allow-origin: *"))
        }
    }

    @Test("A query on a half-closed connection is answered, however long it takes")
    func halfClosedQuery() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for first in stride(from: 0, to: 3000, by: 200) {
                let answer = try await mei.modify(
                    (first..<first + 200).map {
                        Operation.write("create", "r\($0)", fields: #""text": {"value": "a"}"#)
                    })
                #expect(answer.status == 200)
            }
            let query =
                #"{"query": {"recordType": "Note", "filterBy": [{"fieldName": "text", "comparator": "NOT_EQUALS", "fieldValue": {"value": "a"}}]}}"#
            for _ in 0..<5 {
                let wire = try Wire(port: port)
                try await wire.send(mei.bytes("private/records/query", query))
                wire.finishSending()
                let answer = try await wire.readAll()
                // A client that has gone would have been found out by an answer before the last one.
                #expect(answer.split(separator: "\r\n\r\n").contains { $0.hasPrefix("HTTP/1.1 200") }, "\(answer)")
                #expect(answer.contains(#""records":[]"#))
            }
        }
    }

    @Test("A whole request on a half-closed connection is answered") func halfClosedRequest() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            try await wire.send(mei.bytes("private/records/modify", Self.create))
            wire.finishSending()
            #expect(try await wire.readAll().contains("HTTP/1.1 200"))
            #expect(try await mei.lookup("n1")["records.0.recordType"] == "Note")
        }
    }

    @Test("The server closes the connection of a client that sends too slowly") func slowSender() async throws {
        try await TestServer.live(configure: { $0.requestTime = .seconds(3) }) { server, port in
            let mei = try await server.signIn("mei@example.com")
            let body = try Wire(port: port)
            try await body.send(mei.cutBytes("private/records/modify", Self.create))
            #expect(try await body.readAll() == "")
            #expect(try await Self.isAbsent(mei))
        }
    }

    @Test("Malformed or cut off chunks store nothing") func badChunks() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let head =
                "POST \(mei.target("private/records/modify")) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "\(String(Self.create.utf8.count, radix: 16))\r\n\(Self.create)\r\n"
            let cut = try Wire(port: port)
            try await cut.send(head + chunk)
            cut.finishSending()
            let ended = try await cut.readAll()
            #expect(ended.isEmpty || ended.hasPrefix("HTTP/1.1 400"))
            let garbled = try Wire(port: port)
            try await garbled.send(head + chunk + "zz\r\n")
            #expect(try await garbled.readAll().hasPrefix("HTTP/1.1 400"))
            #expect(try await Self.isAbsent(mei))
            let good = try Wire(port: port)
            try await good.send(head + chunk + "0\r\n\r\n")
            #expect(try await good.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A body in more than ten thousand chunks of a byte is refused") func manyChunks() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for path in ["private/records/modify", "private/nowhere"] {
                let wire = try Wire(port: port)
                // A server that refuses may not take all of it.
                try? await wire.send(
                    "POST \(mei.target(path)) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(repeating: "1\r\n \r\n", count: 20_000))
                let answer = try await wire.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 40") && !answer.contains("200 OK"), "\(answer)")
            }
        }
    }

    @Test("Pipelined requests are answered in order") func pipelining() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            let bodies = (0..<20).map { #"{"operations": [\#(Operation.write("create", "p\($0)"))]}"# }
            try await wire.send(bodies.flatMap { mei.bytes("private/records/modify", $0) })
            for index in bodies.indices {
                let answer = try await wire.readAnswer()
                #expect(answer.head.hasPrefix("HTTP/1.1 200"))
                #expect(answer.body.contains("\"p\(index)\""))
            }
        }
    }

    /// The first are answered on the event loop, the others in tasks.
    @Test("Pipelined reads are answered in order") func pipelinedReads() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            for index in 0..<3 { try await mei.save("r\(index)") }
            let wire = try Wire(port: port)
            let names = (0..<40).map { "r\($0 % 3)" }
            let bodies = names.map { #"{"records": [{"recordName": "\#($0)"}]}"# }
            try await wire.send(bodies.flatMap { mei.bytes("private/records/lookup", $0) })
            for name in names {
                let answer = try await wire.readAnswer()
                #expect(answer.head.hasPrefix("HTTP/1.1 200"))
                #expect(answer.body.contains("\"\(name)\""))
            }
        }
    }

    @Test("A HEAD request leaves the connection usable") func headRequest() async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.send(
                "HEAD /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let text = try await wire.readAll()
            let second = try #require(text.range(of: "\r\n\r\n")).upperBound
            #expect(text.hasPrefix("HTTP/1.1 200"))
            #expect(text[second...].hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("Bytes that are not HTTP get a 4xx or no answer, and the connection closes")
    func notHTTP() async throws {
        try await TestServer.live { _, port in
            for text in [
                "garbage\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost a\r\n\r\n", "POST /health HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST /health HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
                "POST /health HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                "GET /health HTTP/1.1\r\nX: \(String(repeating: "x", count: 200_000))\r\n\r\n",
                "GET /\(String(repeating: "x", count: 200_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 20_000))\r\n",
            ] {
                let wire = try Wire(port: port)
                // A server that hangs up early may not take all of it.
                try? await wire.send(text)
                wire.finishSending()
                let answer = try await wire.readAll()
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer.prefix(100))")
            }
        }
    }

    @Test(
        "An upgrade request is answered, and the connection closes",
        arguments: [
            "GET /health HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
            "GET /health HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n",
            "CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func upgrades(head: String) async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.send(head + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await wire.readAll()
            #expect(answer.hasPrefix(head.hasPrefix("CONNECT") ? "HTTP/1.1 404" : "HTTP/1.1 200"), "\(answer)")
            #expect(answer.ranges(of: "HTTP/1.1").count == 1)
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test("An answer before the end of a body announces the close if the rest may not be read")
    func announcedClose() async throws {
        try await TestServer.live(configure: { $0.limits.requestBytes = 100_000 }) { _, port in
            for (field, begun, isLast) in [
                ("Content-Length: 200000", "", true), ("Transfer-Encoding: chunked", "5\r\n[1,2]\r\n", true),
                ("Content-Length: 50000", "", false),
            ] as [(String, String, Bool)] {
                let wire = try Wire(port: port)
                let path = "/database/1/c/development/public/records/modify"
                try await wire.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n\(begun)")
                let (head, _) = try await wire.readAnswer()
                #expect(head.hasPrefix("HTTP/1.1 401"), "\(head)")
                #expect(head.lowercased().contains("connection: close") == isLast, "\(head)")
                let rest = begun.isEmpty ? String(repeating: " ", count: isLast ? 200_000 : 50_000) : "0\r\n\r\n"
                let next = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                try? await wire.send(rest + next)
                // The close may be a reset.
                let answers = (try? await wire.readAll()) ?? ""
                #expect(answers.hasPrefix("HTTP/1.1 200") == !isLast && answers.isEmpty == isLast, "\(answers)")
            }
        }
    }

    @Test("An endless pipeline is cut off: some requests are answered, and the connection closes")
    func endlessPipelines() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            try await mei.watchNotes()
            let ear = try await mei.ear()
            let wire = try Wire(port: port)
            // While the poll waits, all that follows does.
            try await wire.send("GET \(ear.target) HTTP/1.1\r\nHost: a\r\n\r\n")
            try await wire.send(String(repeating: "GET /health HTTP/1.1\r\nHost: a\r\n\r\n", count: 10_000))
            try await mei.save("n1")
            let answers = try await wire.readAll()
            #expect((101..<10_000).contains(answers.ranges(of: "HTTP/1.1 200").count))
            #expect(answers.lowercased().ranges(of: "connection: close").count == 1)
        }
    }

    @Test("Paths with invalid UTF-8, null bytes or traversal get a 4xx") func badPaths() async throws {
        try await TestServer.live { _, port in
            for path in [
                "/%FF%FE", "/database/1/%00/development/public/zones/list", "/../../etc/passwd", "//", "*",
            ] {
                let wire = try Wire(port: port)
                try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let answer = try await wire.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 4"), "\(path): \(answer.prefix(100))")
            }
            let wire = try Wire(port: port)
            try await wire.send(
                Array("GET /".utf8) + [0xFF, 0xFE, 0xC0]
                    + Array(" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
            #expect(try await wire.readAll().hasPrefix("HTTP/1.1 4"))
        }
    }
}
