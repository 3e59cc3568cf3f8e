import CloudModel
import Synchronization

/// Ends pauses of subscriptions when their time has come, one user's after the other between other writes.
///
/// They are in the file. Those that an earlier run has left end at once, since its budgets are forgotten.
final class PauseEnds: Sendable {
    private struct Doors {
        // Weak, since the door's transaction wakes this.
        weak var writes: DatabaseWriter?
        weak var reads: DatabaseReaders?
    }

    private let doors = Mutex(Doors())
    private let work = BackgroundWork()
    private let limits: Limits
    private let now: Now
    private let onTrouble: @Sendable (any Error) -> Void

    /// Between two looks. The longest is short, since clocks are set.
    private static let (shortest, longest) = (Duration.milliseconds(20), Duration.seconds(1))

    init(limits: Limits, onTrouble: @escaping @Sendable (any Error) -> Void, now: @escaping Now) {
        self.limits = limits
        self.onTrouble = onTrouble
        self.now = now
    }

    /// - Parameter hasPauses: whether an earlier run has left some.
    func start(_ writes: DatabaseWriter, _ reads: DatabaseReaders, hasPauses: Bool) {
        doors.withLock { ($0.writes, $0.reads) = (writes, reads) }
        if hasPauses { wake() }
    }

    /// Lets it know that a pause has begun.
    func wake() { work.wake { await self.endDue() } }

    /// True if a pause may still have to be ended.
    var isWorking: Bool { work.isWorking }

    /// - Returns: how long until it is to be called again; nil when there are no pauses.
    private func endDue() async -> Duration? {
        guard case (let writes?, let reads?) = doors.withLock({ ($0.writes, $0.reads) }) else { return nil }
        do {
            guard let ends = try await endDue(writes, reads) else { return nil }
            return min(max(ends - now(), Self.shortest), Self.longest)
        } catch {
            // A full disk, or too many writes waiting.
            if !Task.isCancelled { onTrouble(error) }
            return Self.longest
        }
    }

    /// Ends all that are over.
    ///
    /// - Returns: when the next one is; nil when there is none.
    func endDue(_ writes: DatabaseWriter, _ reads: DatabaseReaders) async throws -> Timestamp? {
        while let (user, ends) = try await reads.read(.small, { db in try SubscriptionPause.first(db) }) {
            let context = WriteContext(Requester(user: nil), now: now(), limits: limits, isBounded: false)
            if ends > context.now { return ends }
            try await writes.write(for: context) { try SubscriptionPause.end(of: user, $0) }
        }
        return nil
    }

    /// Returns once nothing more is written.
    func close() async { await work.close() }
}
