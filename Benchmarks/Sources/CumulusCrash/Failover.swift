import Foundation
import Traffic

/// A primary of PostgreSQL and a standby that its commits wait for: the primary fails under load, and the standby is
/// promoted.
struct Failover: Sendable {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private enum Act: String, CaseIterable { case kill, freeze, cut }

    /// The longest time after the promotion until a write is acknowledged.
    private static let longest = Duration.seconds(10)
    private static let givenUp = Duration.seconds(120)
    private static let look = Duration.milliseconds(20)

    let folder: String
    /// See `failover.sh`.
    let program: String

    /// Fails the primary, promotes the standby, and lets everybody write on for as long as before; one that stands still or
    /// is cut off comes back meanwhile.
    ///
    /// - Returns: the time from the promotion to the next acknowledged write.
    func play(_ round: Int, _ world: World, life: Duration) async -> Duration {
        let act = act(round)
        world.server.setTroubled(true)
        do {
            try run(act.rawValue)
            try run("promote")
            let time = await untilWritten(world)
            if time > Self.longest {
                world.findings.add("after a \(act) failover writes went on only after \(Int(time.milliseconds)) ms")
            }
            if act != .kill { try run("thaw") }
            try await Task.sleep(for: life)
            // What is on its way was begun in trouble.
            world.server.setWriting(false)
            world.server.setTroubled(false)
            return time
        } catch {
            world.findings.add("the failover could not be played: \(error)")
            return .zero
        }
    }

    private func untilWritten(_ world: World) async -> Duration {
        let start = ContinuousClock.now
        let before = world.ledger.acknowledged
        while world.ledger.acknowledged == before, start.duration(to: .now) < Self.givenUp {
            try? await Task.sleep(for: Self.look)
        }
        return start.duration(to: .now)
    }

    /// Makes the old primary anew, as the standby.
    ///
    /// - Returns: what failed, in words.
    func renew(_ round: Int) throws -> String {
        try run("renew")
        return "\(act(round)) failover"
    }

    private func act(_ round: Int) -> Act { Act.allCases[round % Act.allCases.count] }

    private func run(_ word: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [program, folder, word]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(description: "\(word) failed; see \(folder)/log") }
    }
}
