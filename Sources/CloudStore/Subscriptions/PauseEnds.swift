import CloudModel
import Synchronization

/// Ends pauses of subscriptions when their time has come, one user's after the other between other writes.
///
/// They are in the file. Those that an earlier run has left end at once, since its budgets are forgotten.
final class PauseEnds: Sendable {
    private struct State {
        // Weak, since the door's transaction wakes this.
        weak var writes: WriteDoor?
        weak var reads: ReadDoor?
        var task: Task<Void, Never>?
        var isWanted = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limits: Limits
    private let now: @Sendable () -> Int64
    private let onTrouble: @Sendable (any Error) -> Void

    /// Milliseconds between two looks. The longest is short, since clocks are set.
    private static let (shortest, longest): (Int64, Int64) = (20, 1000)

    init(limits: Limits, onTrouble: @escaping @Sendable (any Error) -> Void, now: @escaping @Sendable () -> Int64) {
        self.limits = limits
        self.onTrouble = onTrouble
        self.now = now
    }

    /// - Parameter hasPauses: whether an earlier run has left some.
    func start(_ writes: WriteDoor, _ reads: ReadDoor, hasPauses: Bool) {
        state.withLock { ($0.writes, $0.reads) = (writes, reads) }
        if hasPauses { wake() }
    }

    /// Lets it know that a pause has begun.
    func wake() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isWanted = true
            if state.task == nil { state.task = Task { await self.run() } }
        }
    }

    /// Whether a pause may have to be ended yet.
    var isWorking: Bool { state.withLock { $0.task != nil } }

    private func run() async {
        while let (writes, reads) = next() {
            var wait = Self.longest
            do {
                guard let ends = try await endDue(writes, reads) else { continue }
                wait = min(max(ends - now(), Self.shortest), Self.longest)
            } catch {
                // A full disk, or too many writes waiting.
                if !Task.isCancelled { onTrouble(error) }
            }
            state.withLock { $0.isWanted = true }
            try? await Task.sleep(for: .milliseconds(wait))
        }
    }

    private func next() -> (WriteDoor, ReadDoor)? {
        state.withLock { state in
            guard state.isWanted, !state.isClosed, let writes = state.writes, let reads = state.reads else {
                state.task = nil
                return nil
            }
            state.isWanted = false
            return (writes, reads)
        }
    }

    /// Ends all that are over.
    ///
    /// - Returns: when the next one is; nil when there is none.
    func endDue(_ writes: WriteDoor, _ reads: ReadDoor) async throws -> Int64? {
        while let (user, ends) = try await reads.read(.small, { db in try SubscriptionPause.first(db) }) {
            let context = WriteContext(Requester(user: nil), now: now(), limits: limits)
            if ends > context.now { return ends }
            try await writes.write(for: context) { try SubscriptionPause.end(of: user, $0) }
        }
        return nil
    }

    /// Returns once nothing more is written.
    func close() async {
        let task = state.withLock { state in
            state.isClosed = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}
