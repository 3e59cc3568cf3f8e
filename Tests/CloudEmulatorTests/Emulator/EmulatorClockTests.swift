import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// `/emulator/1/clock`, and what goes by it.
@Suite(.timeLimit(.minutes(10)))
struct EmulatorClockTests {
    private static let path = "/emulator/1/clock"

    private func put(_ server: TestServer, _ body: String) async throws -> Answer {
        try await server.send(.put, Self.path, body: ByteBuffer(string: body))
    }

    private func now(_ answer: Answer) throws -> Int64 { try #require(answer["now"]?.integer) }

    @Test("A session ends at its time on the emulator's clock, and not before") func sessionEnd() async throws {
        try await TestServer.run { server in
            #expect(try await put(server, #"{"freeze": true}"#)["isFrozen"] == .bool(true))
            let app = try await server.signIn("mei@example.com")
            #expect(try await put(server, #"{"advance": 1740}"#).status == 200)
            #expect(try await app.get("private/zones/list").status == 200)
            #expect(try await put(server, #"{"advance": 90000}"#).status == 200)
            #expect(try await app.get("private/zones/list").status == 421)
            // What has no end is there still.
            let again = try await server.signIn("mei@example.com")
            #expect(again.user == app.user)
            #expect(try await again.get("private/zones/list").status == 200)
        }
    }

    @Test("A frozen clock stands still, and continues from there when it runs again")
    func frozenClock() async throws {
        try await TestServer.run { server in
            let frozen = try now(try await put(server, #"{"freeze": true}"#))
            #expect(try now(try await server.send(.get, Self.path)) == frozen)
            #expect(try now(try await put(server, #"{"set": \#(frozen + 5000)}"#)) == frozen + 5000)
            let running = try await put(server, #"{"run": true}"#)
            #expect(running["isFrozen"] == .bool(false))
            #expect(try now(running) >= frozen + 5000)
        }
    }

    @Test(
        "A clock change of the wrong form, or backwards, is refused",
        arguments: [
            #"{"set": 0}"#, #"{"set": "now"}"#, #"{"set": 253402300799001}"#, #"{"advance": -1}"#,
            #"{"advance": 1e300}"#,
            #"{"advance": "1"}"#, #"{"freeze": false}"#, #"{"run": 1}"#, #"{"stop": true}"#, "{}", "[]",
            #"{"freeze": true, "run": true}"#,
        ])
    func refused(body: String) async throws {
        try await TestServer.run { server in
            let answer = try await put(server, body)
            #expect(answer.status == 400 && answer.code == "BAD_REQUEST", "\(answer.text)")
        }
    }

    @Test("Sleeping work wakes when the clock jumps") func sleeper() async throws {
        let clock = SettableClock()
        let seen = clock.jumps
        async let sleep: Void = clock.sleep(for: .seconds(3600), since: seen)
        try clock.advance(by: .seconds(1))
        try await sleep
        #expect(clock.jumps == seen + 1)
    }

    @Test("Without --dev the clock has no path") func production() async throws {
        try await TestServer.run(dev: false) { server in
            let answer = try await server.client.execute(uri: Self.path, method: .get)
            #expect(answer.status.code == 404)
        }
    }
}
