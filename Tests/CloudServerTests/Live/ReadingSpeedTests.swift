@testable import CloudHTTP
import CloudServer
import TestCloud
import CloudModel
import TestWire
import Testing

/// Clients that take their answers slowly, within the time in which others that take nothing are ended.
@Suite(.timeLimit(.minutes(5)))
struct ReadingSpeedTests {
    enum Way: CaseIterable { case file, records }

    /// Several times what the system keeps between two ends of a connection.
    private static let large = 40 << 20
    /// The time over which the speed is averaged, and its least.
    private static let (time, least) = (Duration.seconds(5), 2000)

    /// A connection that has read the head of a large answer, and a way to ask for another one.
    private func begin(
        _ way: Way, time: Duration = Self.time, least: Int = Self.least,
        _ body: @escaping @Sendable (_ wire: Wire, _ head: String, _ again: () async throws -> Int) async throws -> Void
    ) async throws {
        try await TestServer.live(configure: {
            $0.readingTime = time
            $0.readingSpeed = least
            $0.inFlight.answerBytesPerCaller = 8_100_000
        }) { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port, room: 4096)
            let names = Array(repeating: #"{"recordName": "large"}"#, count: 8).joined(separator: ",")
            let lookup = #"{"records": [\#(names)]}"#
            switch way {
            case .file:
                let path = try await mei.saveFile([UInt8](repeating: 7, count: Self.large)).replacing("${f}", with: "a")
                try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            case .records:
                let text = String(repeating: "x", count: 1_000_000)
                try await mei.save("large", fields: #""text": {"value": "\#(text)"}"#)
                try await wire.send(mei.bytes("private/records/lookup", lookup))
            }
            let head = try await wire.readHead()
            #expect(head.hasPrefix("HTTP/1.1 200"))
            try await body(wire, head) { try await mei.post("private/records/lookup", lookup).status }
        }
    }

    /// Takes some bytes ten times a second.
    ///
    /// - Returns: whether the server has closed.
    private func drip(_ wire: Wire, _ bytes: Int, for time: Duration) async throws -> Bool {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end {
            guard try await wire.skip(atMost: bytes) else { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    @Test(
        "A client that reads a few bytes at a time is disconnected, and its answer is released",
        arguments: Way.allCases)
    func drips(way: Way) async throws {
        try await begin(way) { wire, _, again in
            #expect(try await drip(wire, 10, for: .seconds(200)))
            guard way == .records else { return }
            try await until { try await again() == 200 }
        }
    }

    @Test("A slow client above the minimum speed continues for as long as it takes", arguments: Way.allCases)
    func slowOnes(way: Way) async throws {
        try await begin(way) { (wire, _, _) async throws in
            // Three times as long as a client below it has.
            #expect(try await !drip(wire, 2000, for: Self.time * 3))
        }
    }

    @Test("Without a minimum speed a client that reads at all continues")
    func noLimit() async throws {
        try await begin(.file, least: 0) { (wire, _, _) async throws in
            #expect(try await !drip(wire, 500, for: Self.time * 3))
        }
    }

    @Test(
        "Only a client that leaves bytes unread for the whole period is slow",
        arguments: [
            (begun: (1000, 0, 1000), now: (1000, 0, 1000), ReadingSpeed.Pace.taken),
            // Little was sent, and the last of it is under way.
            ((1000, 0, 1000), (1100, 0, 1050), .fast),
            ((1000, 0, 900), (90_000_000, 80_000_000, 1000), .fast),
            ((90_000_000, 0, 1000), (90_000_000, 0, 3000), .fast),
            ((90_000_000, 0, 1000), (90_000_000, 0, 2999), .slow),
            ((90_000_000, 0, 1000), (95_000_000, 0, 1000), .fast),
            ((90_000_000, 50_000_000, 1000), (90_000_000, 50_000_000, 1000), .slow),
            // A system that does not tell the acknowledged bytes.
            ((90_000_000, 50_000_000, 0), (90_000_000, 50_000_000, 0), .slow),
            ((90_000_000, 50_000_000, 0), (90_000_000, 49_000_000, 0), .fast),
            ((90_000_000, 50_000_000, 0), (90_000_000, 0, 0), .taken),
        ] as [(begun: (UInt64, UInt64, UInt64), now: (UInt64, UInt64, UInt64), ReadingSpeed.Pace)])
    func pace(_ begun: (UInt64, UInt64, UInt64), _ now: (UInt64, UInt64, UInt64), _ pace: ReadingSpeed.Pace) {
        func progress(_ counts: (UInt64, UInt64, UInt64)) -> ReadingSpeed.Progress {
            .init(handedOver: counts.0, waiting: counts.1, acknowledged: counts.2)
        }
        #expect(ReadingSpeed.pace(from: progress(begun), to: progress(now), least: 2000) == pace)
    }
}
