import Foundation
import TestWire
import Testing

/// Misuse of single connections, with the frames of Benchmarks/connections.py: none is kept, none makes the process grow.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ConnectionAttackTests {
    /// Megabytes sent by each flood, and those by which it may make the process grow.
    private static let (sent, most) = (64, 24)

    private let secure: SecureServer

    init() async throws { secure = try await SecureServer() }

    private func run(
        _ environment: [String: String] = [:], _ body: (RunningServer) async throws -> Void
    ) async throws {
        let server = try await secure.start(environment)
        try await body(server)
        let wire = try Wire(port: secure.plainPort)
        try await wire.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(try await wire.readAll().hasPrefix("HTTP/1.1 200"))
        #expect(await server.stop() == 0)
    }

    /// What the server answered, and how the connection ended.
    private func attack(_ name: String, tls: Bool = true) async throws
        -> (text: String, end: String)
    {
        let address = tls ? "127.0.0.1:\(secure.port) --tls" : "127.0.0.1:\(secure.plainPort)"
        let outcome = try await secure.program.bash(
            "python3 '\(Self.script)' \(name) \(address) --seconds 60 --megabytes \(Self.sent)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        return (outcome.output, lines.last?.split(separator: " ").first.map(String.init) ?? "")
    }

    private static let script = DocumentPage.root.appending(path: "Benchmarks/connections.py").path()

    @Test("Bytes after the last request are dropped, and the connection closes")
    func http1Floods() async throws {
        try await run { server in
            for (name, status) in [
                ("upgrade", "200"), ("websocket", "200"), ("connect", "404"), ("version", "400"), ("head", "431"),
                ("prior", "400"),
            ] {
                let before = try server.mostResident()
                let (text, end) = try await attack(name, tls: false)
                #expect(end == "closed", "\(name)")
                #expect(text.hasPrefix("HTTP/1.1 \(status)") || text.hasPrefix("closed"), "\(name): \(text)")
                #expect(try server.mostResident() - before < Self.most, "\(name)")
            }
            let (text, end) = try await attack("upgrade")
            #expect(end == "closed" && text.hasPrefix("HTTP/1.1 200"), "\(text)")
        }
    }

    @Test("A connection error of HTTP/2 closes the connection, and later bytes are dropped")
    func http2Floods() async throws {
        try await run { server in
            for name in [
                "idledata", "reset", "continuation", "settings", "ping", "magic", "headerslist", "earlydata",
            ] {
                let before = try server.mostResident()
                let end = try await attack(name).end
                #expect(end == "closed", "\(name)")
                #expect(try server.mostResident() - before < Self.most, "\(name)")
            }
        }
    }

    @Test("An HTTP/2 connection that stalls, stays idle or reads nothing is ended")
    func ends() async throws {
        let times = ["CUMULUS_IDLE_TIME": "2", "CUMULUS_READING_TIME": "2", "CUMULUS_REQUEST_TIME": "2"]
        try await run(times) { server in
            for name in ["neverready", "idle", "leftopen", "notified", "window", "unfinished"] {
                let end = try await attack(name).end
                #expect(end == "closed", "\(name)")
            }
        }
    }

    /// A connection that has its place, since it was answered. The last one's place may be taken for a moment yet.
    private func placedWire() async throws -> Wire {
        while true {
            let wire = try Wire(port: secure.plainPort)
            try? await wire.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            let head = try await wire.readAnswer().head
            if head.hasPrefix("HTTP/1.1 200") { return wire }
            try #require(head.hasPrefix("HTTP/1.1 429"), "\(head)")
        }
    }

    @Test("A connection over the limit is refused in its own protocol")
    func refusals() async throws {
        let server = try await secure.start(["CUMULUS_CONNECTIONS_PER_ADDRESS": "1"])
        do {
            let wire = try await placedWire()
            let (text, end) = try await attack("ask")
            #expect(end == "answered")
            #expect(text.contains("THROTTLED") && text.contains("uuid"), "\(text)")
            let curl = try await secure.program.bash(
                """
                curl -sk --http2 -X OPTIONS -H 'Origin: https://app.example' -D - https://localhost:\(secure.port)/health
                curl -sk --http2 -H 'Origin: https://app.example' -D - https://localhost:\(secure.port)/health
                """)
            let heads = curl.output.lowercased()
            #expect(heads.contains("http/2 200") && heads.contains("http/2 429"), "\(heads)\(curl.errors)")
            #expect(heads.ranges(of: "access-control-allow-origin: https://app.example").count == 2)
            #expect(heads.contains("retry-after: 1") && heads.contains("x-apple-request-uuid: "))
            withExtendedLifetime(wire) {}
        }
        #expect(await server.stop() == 0)
    }
}
