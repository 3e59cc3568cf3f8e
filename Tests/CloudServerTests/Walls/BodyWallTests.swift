@testable import CloudHTTP
@testable import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// Bounds on the size of a body, by its sender.
@Suite(.timeLimit(.minutes(20)))
struct BodyWallTests {
    /// A head that announces more than comes.
    private static func announcing(_ bytes: Int, _ target: String, headers: String = "") -> String {
        "POST \(target) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(bytes)\r\n\r\n{"
    }

    @Test(
        "Wrong credentials are refused before the body arrives",
        arguments: [
            ("", "private/records/modify"), ("ckAPIToken=wrong", "private/records/modify"),
            ("ckAPIToken=wrong", "public/records/query"),
        ])
    func wrongCredentials(query: String, endpoint: String) async throws {
        try await TestServer.live { server, port in
            let wire = try Wire(port: port)
            try await wire.send(Self.announcing(10_000_000, "/database/1/c/development/\(endpoint)?\(query)"))
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 401"))
            #expect(answer.body.contains("AUTHENTICATION_FAILED"))
        }
    }

    @Test("An invalid web auth token is refused before the body arrives")
    func wrongSession() async throws {
        try await TestServer.live { server, port in
            var app = server.app()
            app.token = "wrong"
            let wire = try Wire(port: port)
            try await wire.send(Self.announcing(10_000_000, app.target("private/records/modify")))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 421"))
        }
    }

    @Test("A signed request with an unknown key or an old date is refused before the body arrives")
    func wrongSignature() async throws {
        try await TestServer.live { server, port in
            let headers = [
                "KeyID: \(String(repeating: "a", count: 64))", "ISO8601Date: 2016-01-25T22:15:43Z", "SignatureV1: aaaa",
            ].map { "X-Apple-CloudKit-Request-\($0)\r\n" }.joined()
            let wire = try Wire(port: port)
            try await wire.send(
                Self.announcing(10_000_000, "/database/1/c/development/public/records/modify", headers: headers))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 401"))
        }
    }

    @Test("An anonymous caller is limited to small bodies")
    func anonymousBodies() async throws {
        try await TestServer.live { server, port in
            let wire = try Wire(port: port)
            try await wire.send(Self.announcing(1_100_000, server.app().target("public/records/query")))
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 413"))
            #expect(answer.body.contains("1048576") && answer.body.contains("limit.anonymousRequestBytes"))
            let mei = try await server.signIn("mei@example.com")
            let spaces = String(repeating: " ", count: 1_100_000)
            #expect(try await mei.post("public/records/lookup", #"{"records": []\#(spaces)}"#).status == 200)
        }
    }

    @Test("Concurrent body bytes are bounded by caller and in total")
    func bytesAtOnce() async throws {
        try await TestServer.live(configure: {
            $0.inFlight.requestBytesPerCaller = 150_000
            $0.inFlight.requestBytes = 250_000
            // A body that is held stays under way, however slow the machine.
            $0.requestTime = .seconds(3_600)
        }) { server, port in
            var wires: [Wire] = []
            // Bytes of a small body may exceed the bound on all by a quarter.
            func respond(_ app: App, _ bytes: Int) async throws -> (status: Int, reason: String) {
                let body = #"{"records": []\#(String(repeating: " ", count: bytes))}"#
                let answer = try await app.post("private/records/lookup", body)
                return (answer.status, answer.reason)
            }
            // Returns after the server has the whole body; another request before that could take its room.
            func hold(_ app: App) async throws {
                let wire = try Wire(port: port)
                try await wire.send(
                    app.cutBytes("private/records/lookup", #"{"records": []\#(String(repeating: " ", count: 100_000))"#)
                )
                wires.append(wire)
                while server.responder.bounds.requests.bytes < wires.count * 100_000 {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            let mei = try await server.signIn("mei@example.com")
            let eve = try await server.signIn("eve@example.com")
            let bo = try await server.signIn("bo@example.com")
            try await hold(eve)
            let refused = try await respond(eve, 60_000)
            #expect(refused.status == 429)
            #expect(refused.reason.contains("150000") && refused.reason.contains("inFlight.requestBytesPerCaller"))
            #expect(try await respond(mei, 60_000).status == 200)
            try await hold(mei)
            let full = try await respond(bo, 100_000)
            #expect(full.status == 503)
            #expect(full.reason.contains("250000") && full.reason.contains("inFlight.requestBytes"))
            wires.removeAll()
            while try await respond(bo, 100_000).status != 200 { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test("A caller's concurrent requests are bounded")
    func requestsAtOnce() async throws {
        try await TestServer.live(configure: { $0.inFlight.requestsPerCaller = 3 }) { server, port in
            let mei = try await server.signIn("mei@example.com")
            var wires: [Wire] = []
            var refusal = ""
            while refusal.isEmpty {
                let wire = try Wire(port: port)
                try await wire.send(mei.cutBytes("private/records/lookup", #"{"records": ["#))
                wires.append(wire)
                let answer = try await mei.post("private/records/lookup", #"{"records": []}"#)
                if answer.status == 429 { refusal = answer.reason }
                if wires.count > 3 { try await Task.sleep(for: .milliseconds(1)) }
            }
            #expect(refusal.contains("at most 3") && refusal.contains("inFlight.requestsPerCaller"))
            #expect(wires.count >= 3)
            wires.removeAll()
            while try await mei.post("private/records/lookup", #"{"records": []}"#).status != 200 {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test("The connections of one address are bounded")
    func connections() async throws {
        try await TestServer.live(configure: { $0.connectionsPerAddress = 5 }) { server, port in
            var wires: [Wire] = []
            var answer = ""
            while answer.isEmpty && wires.count < 6 {
                let wire = try Wire(port: port)
                // Connections open in no particular order, so each is used before the next.
                try? await wire.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                let (head, body) = try await wire.readAnswer()
                if head.hasPrefix("HTTP/1.1 429") { answer = body } else { wires.append(wire) }
            }
            // The test's own client has one as well, once it has asked for something.
            #expect((4...5).contains(wires.count))
            #expect(answer.contains("THROTTLED") && answer.contains("at most 5"))
            #expect(answer.contains("connectionsPerAddress") && answer.contains("uuid"))
            // A page of another origin asks whether it may ask, and can read the refusal.
            for (method, status) in [("OPTIONS", "200"), ("POST", "429")] {
                let wire = try Wire(port: port)
                try await wire.send(
                    "\(method) /health HTTP/1.1\r\nHost: a\r\nOrigin: https://app.example\r\nContent-Length: 0\r\n\r\n")
                let head = try await wire.readHead().lowercased()
                #expect(head.hasPrefix("http/1.1 \(status)") && head.contains("connection: close"), "\(head)")
                #expect(head.contains("access-control-allow-origin: https://app.example"))
                #expect(head.contains("access-control-allow-credentials: true") && head.contains("retry-after"))
                #expect(head.contains("x-apple-request-uuid: "))
            }
            wires.removeAll()
            var isOpen = false
            while !isOpen {
                let wire = try Wire(port: port)
                try await wire.send("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                isOpen = (try? await wire.readAll().hasPrefix("HTTP/1.1 200")) ?? false
            }
        }
    }

    @Test("A body of too many JSON values is refused with the numbers")
    func values() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let list = String(repeating: "1,", count: 1_000_000) + "1"
            let answer = try await mei.post("private/records/lookup", #"{"records": [\#(list)]}"#)
            #expect(answer.status == 400)
            #expect(answer.reason.contains("1000003 JSON values, at most 1000000"))
            #expect(answer.reason.contains("limit.requestValues"))
        }
    }

    @Test("Integers beyond 64 bits are doubles, and are refused by item where an INT64 is required")
    func largeNumbers() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.save("n0", fields: #""d": {"value": 1.5}, "i": {"value": 1, "type": "INT64"}"#)
            let answer = try await mei.modify([
                Operation.write("create", "n1", fields: #""d": {"value": 18446744073709552000}"#),
                Operation.write("create", "n2", fields: #""d": {"value": 1000000000000000000000, "type": "DOUBLE"}"#),
                Operation.write("create", "n3", fields: #""i": {"value": 18446744073709552000}"#),
                Operation.write("create", "n4", fields: #""i": {"value": -18446744073709552000}"#),
                Operation.write("create", "n5", fields: #""i": {"value": 9223372036854775807}"#),
            ])
            #expect(answer.status == 200)
            #expect(answer["records.0.fields.d.value"] == .number(18_446_744_073_709_551_616))
            #expect(answer["records.1.fields.d.value"] == .number(1e21))
            #expect(
                answer.column("records", "serverErrorCode") == [nil, nil, "BAD_REQUEST", "BAD_REQUEST", nil])
            #expect(answer["records.4.fields.i.value"] == 9_223_372_036_854_775_807)
        }
    }
}
