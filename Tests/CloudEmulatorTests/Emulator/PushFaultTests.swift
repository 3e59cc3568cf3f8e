import CloudHTTP
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import NIOCore
import TestWire
import Testing

/// Faults that notifications meet.
@Suite(.timeLimit(.minutes(10)))
struct PushFaultTests {
    private static let path = "/emulator/1/faults"

    /// A server with a fault, a client that hears of notes, and another that writes them.
    private func run(
        _ fault: String, _ body: @Sendable (TestServer, _ ear: Ear, _ writer: App) async throws -> Void
    ) async throws {
        try await TestServer.run(configure: { $0.push.courierHold = .milliseconds(50) }) { server in
            let app = try await server.signIn("mei@example.com")
            try await app.watchNotes()
            let ear = try await app.ear("phone")
            let added = try await server.send(.post, Self.path, body: ByteBuffer(string: fault))
            #expect(added.status == 200, "\(added.text)")
            try await body(server, ear, app)
        }
    }

    private func news(_ ear: Ear, _ count: Int) async throws -> [String] {
        var news: [String] = []
        for _ in 0..<count { news.append(try await ear.news()) }
        return news
    }

    @Test("A lost notification never arrives, and the next one does")
    func lost() async throws {
        try await run(#"{"push": "lost", "user": "mei@example.com", "nth": 1}"#) { server, ear, app in
            for name in ["n1", "n2"] { try await app.write(name, as: "tablet") }
            #expect(try await news(ear, 2) == ["notes n2", ""])
            #expect(try await server.send(.get, Self.path)["faults.0.decided"]?.integer == 1)
        }
    }

    @Test("A duplicated notification arrives exactly twice")
    func twice() async throws {
        try await run(#"{"push": "twice", "count": 1}"#) { _, ear, app in
            for name in ["n1", "n2"] { try await app.write(name, as: "tablet") }
            #expect(try await news(ear, 4) == ["notes n1", "notes n1", "notes n2", ""])
        }
    }

    @Test("Two swapped notifications arrive in reverse order, and a lone one arrives in the end")
    func swapped() async throws {
        try await run(#"{"push": "swapped", "latency": 200, "nth": 1}"#) { server, ear, app in
            for name in ["n1", "n2", "n3"] { try await app.write(name, as: "tablet") }
            #expect(try await news(ear, 4) == ["notes n2", "notes n1", "notes n3", ""])
            _ = try await server.send(.delete, Self.path)
            _ = try await server.send(
                .post, Self.path, body: ByteBuffer(string: #"{"push": "swapped", "latency": 100}"#))
            try await app.write("n4", as: "tablet")
            #expect(try await news(ear, 2) == ["notes n4", ""])
        }
    }

    @Test("A late notification is delayed, and other users' notifications are not")
    func late() async throws {
        try await run(#"{"push": "late", "latency": 300, "user": "tom@example.com"}"#) { server, ear, app in
            let tom = try await server.signIn("tom@example.com")
            try await tom.watchNotes()
            let other = try await tom.ear("phone")
            let began = ContinuousClock.now
            try await tom.write("n1", as: "tablet")
            #expect(try await other.news() == "notes n1")
            #expect(ContinuousClock.now - began >= .milliseconds(300))
            try await app.write("n2", as: "tablet")
            #expect(try await ear.news() == "notes n2")
            let faults = try await server.send(.get, Self.path)
            #expect(faults["faults.0.matched"]?.integer == 1)
        }
    }

    @Test(
        "A contradictory notification fault is refused by its member",
        arguments: [
            #"{"push": "gone"}"#: "push", #"{"push": "late"}"#: "latency", #"{"push": "swapped"}"#: "latency",
            #"{"push": "lost", "route": "records/modify"}"#: "route",
            #"{"push": "lost", "error": "CONFLICT"}"#: "error",
            #"{"push": "lost", "recordType": "Note"}"#: "recordType", #"{"push": "lost", "cutAt": 1}"#: "cutAt",
        ])
    func refused(fault: String, member: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.post, Self.path, body: ByteBuffer(string: fault))
            #expect(answer.status == 400 && answer["reason"]?.string?.hasPrefix(member) == true, "\(answer.text)")
        }
    }
}
