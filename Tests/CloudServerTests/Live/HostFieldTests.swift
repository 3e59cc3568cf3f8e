import TestCloud
import CloudModel
import TestWire
import Testing

/// A request names its host once.
@Suite(.timeLimit(.minutes(20)))
struct HostFieldTests {
    @Test(
        "A request with two Host headers, or none, is refused",
        arguments: [
            ("GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
            ("GET /health HTTP/1.1\r\nHost: a\r\nhOST: b\r\n", 400),
            ("GET /health HTTP/1.1\r\n", 400), ("GET /health HTTP/1.1\r\nHost: a/b\r\n", 400),
            ("GET /health HTTP/1.1\r\nHost: me@a\r\n", 400),
            ("GET /auth/signin HTTP/1.1\r\nHost: a\r\nHost: b\r\n", 400),
            ("GET /auth/signin HTTP/1.1\r\n", 400), ("GET /aps?x HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\r\n", 400),
            ("OPTIONS /health HTTP/1.1\r\n", 400), ("GET /health HTTP/1.1\r\nHost: a:8080\r\n", 200),
            ("GET /health HTTP/1.1\r\nHost: [::1]:8080\r\n", 200), ("GET /health HTTP/1.0\r\n", 200),
            ("GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n", 400),
        ])
    func hostCount(head: String, status: Int) async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.send(head + "Connection: close\r\n\r\n")
            let answer = try await wire.readAll()
            #expect(answer.split(separator: " ").dropFirst().first == "\(status)", "\(answer.prefix(300))")
        }
    }

    @Test("A refused Host header does not overtake the answer before it")
    func pipelined() async throws {
        try await TestServer.live { _, port in
            let wire = try Wire(port: port)
            try await wire.send(
                "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let statuses = try await (0..<3).asyncMap { _ in
                try await wire.readAnswer().head.split(separator: " ")[1]
            }
            #expect(statuses == ["200", "400", "200"])
        }
    }
}
