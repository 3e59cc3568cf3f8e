import CloudEngine
import Synchronization

/// Runs the background work of schema changes and large deletions in batches between client writes.
///
/// The queue is stored in the database, so the work resumes after a restart.
final class SchemaWork: Sendable {
    private struct State {
        // Weak, because the writer's transaction wakes this object.
        weak var writes: DatabaseWriter?
        /// The delay before the next retry.
        var wait = SchemaWork.shortestWait
    }

    private let state = Mutex(State())
    private let work = BackgroundWork()
    private let pace: BuildPace
    private let context: @Sendable () -> WriteContext
    private let step: @Sendable (WriteTransaction, WorkSlice, _ stuck: Set<StuckWork.Item>) throws -> Bool
    private let onTrouble: @Sendable (any Error) -> Void
    private let isAwaited: @Sendable () -> Bool

    /// Bounds of the retry delay, which doubles after each failure.
    private static let (shortestWait, longestWait) = (Duration.seconds(5), Duration.seconds(300))

    /// - Parameters:
    ///   - context: gives the write context of the background work.
    ///   - onTrouble: called after each failed attempt; a retry follows.
    ///   - isAwaited: whether queries wait for an index; then the work makes no pauses.
    ///   - step: does one slice, skipping stuck work; returns false when no work is left.
    init(
        pace: BuildPace, context: @escaping @Sendable () -> WriteContext,
        onTrouble: @escaping @Sendable (any Error) -> Void, isAwaited: @escaping @Sendable () -> Bool,
        step: @escaping @Sendable (WriteTransaction, WorkSlice, _ stuck: Set<StuckWork.Item>) throws -> Bool
    ) {
        self.pace = pace
        self.context = context
        self.onTrouble = onTrouble
        self.isAwaited = isAwaited
        self.step = step
    }

    /// Starts with work that an earlier run left.
    func start(_ writes: DatabaseWriter) {
        state.withLock { $0.writes = writes }
        wake()
    }

    /// Signals new work.
    func wake() { work.wake { await self.goOn() } }

    /// - Returns: the delay before the next attempt; nil when no work is left.
    private func goOn() async -> Duration? {
        // Without a writer, the work stays queued in the database.
        guard let writes = state.withLock({ $0.writes }) else { return nil }
        let isDone = await finish(writes)
        return state.withLock { state in
            let wait = state.wait
            state.wait = isDone ? Self.shortestWait : min(wait * 2, Self.longestWait)
            return isDone ? nil : wait
        }
    }

    /// - Returns: whether no work is left.
    private func finish(_ writes: DatabaseWriter) async -> Bool {
        var stuck: Set<StuckWork.Item> = []
        var isBusy = false
        while true {
            await pace.pause()
            guard !Task.isCancelled else { return true }
            let (before, began) = (writes.accepted, ContinuousClock.now)
            do {
                guard try await advance(writes, for: isBusy ? pace.slice : pace.idleSlice, stuck) else {
                    return stuck.isEmpty
                }
            } catch let work as StuckWork {
                // Other work goes on; stuck work is retried later, after the operator repairs the file.
                onTrouble(work)
                stuck.insert(work.item)
            } catch {
                // A full disk, or a full write queue.
                onTrouble(error)
                return false
            }
            if isBusy, !isAwaited() { try? await Task.sleep(for: max(pace.slice, began.duration(to: .now))) }
            // One accepted write is this work's own.
            isBusy = writes.accepted > before + 1
        }
    }

    private func advance(
        _ writes: DatabaseWriter, for duration: Duration, _ stuck: Set<StuckWork.Item>
    ) async throws -> Bool {
        try await writes.write(for: context()) { [pace, step] transaction in
            try step(transaction, WorkSlice(rows: pace.batch, lasting: duration), stuck)
        }
    }

    /// True if remaining work has failed and awaits a retry.
    var isFailing: Bool { state.withLock { $0.wait > Self.shortestWait } }

    /// True if work may be left.
    var isWorking: Bool { work.isWorking }

    /// Returns when no work is left.
    func finished() async { await work.finished() }

    /// Returns when the last write has ended.
    func close() async { await work.close() }
}
