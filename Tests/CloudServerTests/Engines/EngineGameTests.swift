import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestEngine
import Testing

/// Random histories of calls on a server over SQLite and one over PostgreSQL, side by side: each answer is the same on both,
/// reasons included. People begin without zones; the servers are stopped and started again in between.
///
/// `CUMULUS_GAME_SEED` plays one history, `CUMULUS_GAMES` as many as it says.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct EngineGameTests {
    private static let people = ["ann@example.com", "ben@example.com", "cas@example.com"]
    private static let parts = 3
    private static let callsPerPart = 70

    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["CUMULUS_GAME_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["CUMULUS_GAMES"].flatMap { UInt64($0) } ?? 4
        return Array(1...max(count, 1))
    }()

    @Test("A random history of calls is answered the same on both engines", arguments: seeds)
    func sameAnswers(seed: UInt64) async throws {
        let clock = GameClock()
        let table = GameTable(seed: seed)
        for _ in 0..<Self.parts {
            try await table.play(Self.callsPerPart, people: Self.people, clock)
            if table.isOver { return }
        }
    }
}

/// A clock that both servers of a game go by.
final class GameClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_700_000_000_000)

    var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

    func tick() { milliseconds.withLock { $0 += 1_000 } }
}

/// A game between its two servers, used by one task at a time.
final class GameTable: @unchecked Sendable {
    private let seed: UInt64
    private let sides = [GameSide(isPostgres: false), GameSide(isPostgres: true)]
    private var player: GamePlayer
    private var step = 0
    private(set) var isOver = false

    init(seed: UInt64) {
        self.seed = seed
        player = GamePlayer(seed: seed)
    }

    /// Starts both servers over what they had, and plays some calls.
    func play(_ count: Int, people: [String], _ clock: GameClock) async throws {
        try await run(sides[0], clock) { [self] first in
            try await run(sides[1], clock) { [self] second in
                for (side, server) in zip(sides, [first, second]) { try await side.signIn(people, to: server) }
                for _ in 0..<count where !isOver { try await next(first, second, clock) }
            }
        }
    }

    private func run(
        _ side: GameSide, _ clock: GameClock, _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(clock: { clock.now }, engine: side.engine, folder: side.folder, body)
    }

    private func next(_ first: TestServer, _ second: TestServer, _ clock: GameClock) async throws {
        clock.tick()
        step += 1
        let call = player.next()
        let one = try await sides[0].send(call, to: first)
        let other = try await sides[1].send(call, to: second)
        isOver = one.text != other.text || one.text.hasPrefix("5") && !one.text.hasPrefix("503")
        #expect(
            !isOver,
            """
            seed \(seed), call \(step): person \(call.person), \(call.endpoint)\(call.query)
            \(call.body)
            SQLite:     \(one.text)
            PostgreSQL: \(other.text)
            """)
        player.learn(one.json, from: call)
    }
}
