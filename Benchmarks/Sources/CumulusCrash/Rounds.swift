import Foundation
import Synchronization
import Traffic

/// Start, write from all sides, end, start again, look: as often as asked.
struct Rounds {
    private static let zoneWriters = 3
    private static let publicWriters = 2
    private static let contested = 3
    private static let batchWriters = 2

    let world: World
    let caller: HTTPCaller
    let ending: Ending
    let rounds: ClosedRange<Int>
    let shortest: Int
    let longest: Int
    /// The time without an acknowledged write in this round.
    private let takeover = Box()

    private final class Box: Sendable {
        private let value = Mutex(Duration.zero)

        func withLock<T>(_ body: (inout Duration) -> T) -> T { value.withLock { body(&$0) } }
    }

    /// Plays all rounds, a line each; stops at the first round with a finding.
    func play() async throws {
        let reader = FeedReader()
        var random = SeededRandom(seed: world.seed, round: rounds.lowerBound, writer: 0)
        for round in rounds {
            let life = Int.random(in: shortest...longest, using: &random)
            await write(round, for: .milliseconds(life), reader)
            let moment = "\(try ending.finish(round, using: &random)) \(round)"
            let restart =
                ending.endsServer
                ? try await world.server.start(caller, environment: ending.environment()) : takeover.withLock { $0 }
            let inspection = Inspection(world: world, reader: reader, round: round, moment: moment)
            try await inspection.run()
            if round == rounds.upperBound { try await inspection.checkEverything() }
            report(moment, life: life, restart: restart, reader.current)
            if !world.findings.all.isEmpty { return }
        }
    }

    /// Lets everybody write until the kill, and waits until each has noticed.
    private func write(_ round: Int, for life: Duration, _ reader: FeedReader) async {
        world.server.setWriting(true)
        let failover: Failover? = if case .failovers(let failover) = ending { failover } else { nil }
        await withDiscardingTaskGroup { [world, takeover] group in
            for writer in 0..<Self.zoneWriters {
                group.addTask {
                    await CreatesAndDeletes(world: world, round: round, writer: writer, zone: World.zone).run()
                }
            }
            for writer in 10..<10 + Self.publicWriters {
                group.addTask { await CreatesAndDeletes(world: world, round: round, writer: writer, zone: nil).run() }
            }
            for record in 0..<Self.contested {
                group.addTask { await RivalUpdates(world: world, round: round, record: record).run() }
            }
            for writer in 20..<20 + Self.batchWriters {
                group.addTask { await AtomicBatches(world: world, round: round, writer: writer).run() }
            }
            group.addTask { await AssetUploads(world: world, round: round).run() }
            group.addTask { await reader.follow(world) }
            group.addTask {
                // The one moment that is meant to be arbitrary.
                try? await Task.sleep(for: life)
                guard let failover else { return world.server.kill() }
                let time = await failover.play(round, world, life: life)
                takeover.withLock { $0 = time }
                world.server.setWriting(false)
            }
        }
    }

    private func report(_ moment: String, life: Int, restart: Duration, _ feed: FeedState) {
        let findings = world.findings.all.count
        say(
            "\(moment) of \(rounds.upperBound): after \(life) ms, \(ending.endsServer ? "up" : "writing") again in \(Int(restart.milliseconds)) ms; "
                + "\(world.ledger.acknowledged) acknowledged, \(world.ledger.unanswered) unanswered, "
                + "\(feed.live.count) live in the zone, \(feed.changes) changes followed; "
                + (findings == 0 ? "all as it should be" : "\(findings) FINDINGS"))
    }
}
