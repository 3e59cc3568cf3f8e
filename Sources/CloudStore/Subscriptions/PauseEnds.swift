import CloudEngine
import CloudModel
import Synchronization

/// Ends pauses of subscriptions when due, user by user between other writes.
///
/// Pauses are stored in the file. Pauses left by an earlier run end at once, since its budgets are lost.
final class PauseEnds: Sendable {
    private struct Doors {
        // Weak, since the writer's transaction refers to this object.
        weak var writes: DatabaseWriter?
        weak var reads: DatabaseReaders?
    }

    private let doors = Mutex(Doors())
    private let work = BackgroundWork()
    private let limits: Limits
    private let now: Now
    private let onTrouble: @Sendable (any Error) -> Void

    /// Limits on the interval between two checks. The longest is short, since clocks are set.
    private static let (shortest, longest) = (Duration.milliseconds(20), Duration.seconds(1))

    init(limits: Limits, onTrouble: @escaping @Sendable (any Error) -> Void, now: @escaping Now) {
        self.limits = limits
        self.onTrouble = onTrouble
        self.now = now
    }

    /// - Parameter hasPauses: true if an earlier run left pauses.
    func start(_ writes: DatabaseWriter, _ reads: DatabaseReaders, hasPauses: Bool) {
        doors.withLock { ($0.writes, $0.reads) = (writes, reads) }
        if hasPauses { wake() }
    }

    /// Notes that a pause has begun.
    func wake() { work.wake { await self.endDue() } }

    /// True while pauses may exist.
    var isWorking: Bool { work.isWorking }

    /// - Returns: the delay until the next call; nil without pauses.
    private func endDue() async -> Duration? {
        guard case (let writes?, let reads?) = doors.withLock({ ($0.writes, $0.reads) }) else { return nil }
        do {
            guard let ends = try await endDue(writes, reads) else { return nil }
            return min(max(ends - now(), Self.shortest), Self.longest)
        } catch {
            // For example a full disk, or a full write queue.
            if !Task.isCancelled { onTrouble(error) }
            return Self.longest
        }
    }

    /// Ends all pauses that are due.
    ///
    /// - Returns: the end of the next pause; nil without one.
    func endDue(_ writes: DatabaseWriter, _ reads: DatabaseReaders) async throws -> Timestamp? {
        while let (user, ends) = try await reads.read(.small, { db in try SubscriptionPause.first(db) }) {
            let context = WriteContext(Requester(user: nil), now: now(), limits: limits, isBounded: false)
            if ends > context.now { return ends }
            try await writes.write(for: context) { try SubscriptionPause.end(of: user, $0) }
        }
        return nil
    }

    /// Stops, and returns after the last write.
    func close() async { await work.close() }
}
