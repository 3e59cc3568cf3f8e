import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// `Expect: 100-continue`: curl asks so before large bodies, and waits for an answer.
@Suite(.timeLimit(.minutes(20)))
struct ExpectationTests {
    @Test("A request with Expect: 100-continue is told to send its body") func invited() async throws {
        try await TestServer.live { server, port in
            let wire = try Wire(port: port)
            let body = #"{"records": []}"#
            let request = server.app().bytes("public/records/lookup", body, headers: "Expect: 100-continue\r\n")
            try await wire.send(Array(request.dropLast(body.utf8.count)))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 100"))
            try await wire.send(body)
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A request with Expect: 100-continue and too long a body is refused before the body")
    func refused() async throws {
        try await TestServer.live(configure: { $0.limits.requestBytes = 1000 }) { server, port in
            let wire = try Wire(port: port)
            let head = "POST \(server.app().target("public/records/lookup")) HTTP/1.1\r\nHost: a\r\n"
            try await wire.send(head + "Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 413"))
        }
    }
}
