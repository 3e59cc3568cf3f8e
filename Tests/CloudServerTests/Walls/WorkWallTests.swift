@testable import CloudHTTP
import TestCloud
import CloudModel
import Dispatch
import Synchronization
import TestWire
import Testing

/// No request makes the others wait: what is repeated counts once, and large bodies are read on threads of their own.
@Suite(.timeLimit(.minutes(20)))
struct WorkWallTests {
    private static func repeated(_ text: String, _ count: Int) -> String {
        Array(repeating: text, count: count).joined(separator: ",")
    }

    private static let zones = repeated(#"{"zoneID": {"zoneName": "A"}}"#, 200)

    /// The names of the records that a change feed of the zone A, asked for 200 times, answers for the last of them.
    private func expect(_ names: [JSONValue?], with options: String) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            for name in ["n1", "n2"] { try await mei.save(zone: "A", name, fields: #""text": {"value": "x"}"#) }
            let answer = try await mei.post("private/changes/zone", #"{\#(options), "zones": [\#(Self.zones)]}"#)
            #expect(answer.status == 200)
            #expect(answer.column("zones.199.records", "recordName") == names)
        }
    }

    @Test("An option repeated 200,000 times beside 200 zones is read once, and its last value counts")
    func repeatedOption() async throws {
        let options = Self.repeated(#""reverse":false"#, 200_000) + #","reverse":true"#
        try await expect(["n2", "n1"], with: options)
    }

    @Test(
        "A list of 100,000 names beside 200 zones is read once",
        arguments: ["desiredKeys", "desiredRecordTypes"])
    func longList(key: String) async throws {
        let names = (0..<100_000).map { #""name\#($0)""# }.joined(separator: ",")
        try await expect(["n1", "n2"], with: #""\#(key)": [\#(names), "Note"]"#)
    }

    @Test("The options of a zone override those of its request")
    func zoneOptions() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("A")
            for name in ["n1", "n2"] { try await mei.save(zone: "A", name, fields: #""text": {"value": "x"}"#) }
            let zone = #""zoneID": {"zoneName": "A"}"#
            let answer = try await mei.post(
                "private/changes/zone",
                #"""
                {"reverse": true, "resultsLimit": 1, "desiredKeys": [], "zones": [
                    {\#(zone)}, {\#(zone), "reverse": false, "resultsLimit": null},
                    {\#(zone), "resultsLimit": 2, "desiredKeys": ["text"]}, {\#(zone), "reverse": 1}]}
                """#)
            #expect(answer.column("zones.0.records", "recordName") == ["n2"])
            #expect(answer.column("zones.1.records", "recordName") == ["n1"])
            #expect(answer.column("zones.2.records", "recordName") == ["n2", "n1"])
            #expect(answer["zones.0.records.0.fields.text"] == nil)
            #expect(answer["zones.2.records.0.fields.text.value"] == "x")
            #expect(answer["zones.3.serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test("Requests with large bodies run on threads of their own, and delay no other request")
    func largeBodies() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let spaces = String(repeating: " ", count: LargeBodies.smallest)
            let held = HeldThreads()
            await held.hold(LargeBodies.executor)
            let wire = try Wire(port: port)
            let body = #"{"records": []\#(spaces)}"#
            async let sent: Void = wire.send(mei.bytes("private/records/lookup", body))
            for _ in 0..<20 {
                #expect(try await mei.post("private/records/lookup", #"{"records": []}"#).status == 200)
                #expect(try await server.send(.get, "/health").status == 200)
            }
            #expect(held.areHeld)
            held.release()
            try await sent
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("A large body runs on the threads for large bodies, unless it is streamed")
    func executors() {
        let smallest = LargeBodies.smallest
        #expect(LargeBodies.executor(forBodyOf: 0, isStreamed: false) == nil)
        #expect(LargeBodies.executor(forBodyOf: smallest, isStreamed: false) == nil)
        #expect(LargeBodies.executor(forBodyOf: smallest + 1, isStreamed: false) != nil)
        #expect(LargeBodies.executor(forBodyOf: nil, isStreamed: false) != nil)
        #expect(LargeBodies.executor(forBodyOf: nil, isStreamed: true) == nil)
    }
}

/// Keeps the threads for large bodies busy until they are released.
private final class HeldThreads: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((held: 0, isReleased: false))

    var areHeld: Bool { state.withLock { $0.held == LargeBodies.threadCount && !$0.isReleased } }

    /// Returns once all of them are busy.
    func hold(_ executor: LargeBodies) async {
        await withTaskGroup { group in
            for _ in 0..<LargeBodies.threadCount {
                let (begun, begin) = AsyncStream<Void>.makeStream()
                Task(executorPreference: executor) { [self] in
                    state.withLock { $0.held += 1 }
                    begin.finish()
                    wait()
                }
                group.addTask { for await _ in begun {} }
            }
        }
    }

    private func wait() { gate.wait() }

    func release() {
        state.withLock { $0.isReleased = true }
        for _ in 0..<LargeBodies.threadCount { gate.signal() }
    }
}
