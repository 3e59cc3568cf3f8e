package import CloudServer
import CloudModel
import TestWire
import Testing

extension TestServer {
    /// A server at a real port. Whatever `body` does to it, it answers afterwards.
    package static func live(
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (_ server: TestServer, _ port: Int) async throws -> Void
    ) async throws {
        try await run(.live, configure: configure) { server in
            let port = try #require(server.client.port)
            try await body(server, port)
            let wire = try Wire(port: port)
            try await wire.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try await wire.readAll().hasPrefix("HTTP/1.1 200"))
        }
    }
}

extension App {
    /// A request as bytes, its body of the length it says.
    package func bytes(_ endpoint: String, _ body: String, headers: String = "") -> [UInt8] {
        Array(
            """
            POST \(target(endpoint)) HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Length: \(body.utf8.count)\r
            \(headers)\r
            \(body)
            """.utf8)
    }

    /// The same, its body announced longer than it is.
    package func cutBytes(_ endpoint: String, _ body: String, missing: Int = 10) -> [UInt8] {
        Array(
            "POST \(target(endpoint)) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count + missing)\r\n\r\n\(body)"
                .utf8)
    }
}
