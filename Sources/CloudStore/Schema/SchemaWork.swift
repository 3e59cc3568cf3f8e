import Synchronization

/// Goes on with what schema changes and large deletions left for later, one batch at a time between other writes, until
/// nothing is left.
///
/// What is left is in the file, so it goes on where it was when the file is opened again.
final class SchemaWork: Sendable {
    private struct State {
        // Weak, since the door's transaction wakes this.
        weak var writes: DatabaseWriter?
        /// Until what fails next is tried again.
        var wait = SchemaWork.shortestWait
    }

    private let state = Mutex(State())
    private let work = BackgroundWork()
    private let pace: BuildPace
    private let context: @Sendable () -> WriteContext
    private let step: @Sendable (WriteTransaction, WorkSlice, _ stuck: Set<StuckWork.Place>) throws -> Bool
    private let onTrouble: @Sendable (any Error) -> Void
    private let isAwaited: @Sendable () -> Bool

    /// Until it is tried again what has failed; twice as long each time.
    private static let (shortestWait, longestWait) = (Duration.seconds(5), Duration.seconds(300))

    /// - Parameters:
    ///   - context: whose doing it is.
    ///   - onTrouble: called with what it meets, each time; it tries again later.
    ///   - isAwaited: whether queries wait for an index, so that it makes no pauses.
    ///   - step: does a slice, but for what is stuck; answers false when nothing is left.
    init(
        pace: BuildPace, context: @escaping @Sendable () -> WriteContext,
        onTrouble: @escaping @Sendable (any Error) -> Void, isAwaited: @escaping @Sendable () -> Bool,
        step: @escaping @Sendable (WriteTransaction, WorkSlice, _ stuck: Set<StuckWork.Place>) throws -> Bool
    ) {
        self.pace = pace
        self.context = context
        self.onTrouble = onTrouble
        self.isAwaited = isAwaited
        self.step = step
    }

    /// Begins, with what an earlier run has left.
    func start(_ writes: DatabaseWriter) {
        state.withLock { $0.writes = writes }
        wake()
    }

    /// Lets it know that there is something to do.
    func wake() { work.wake { await self.goOn() } }

    /// - Returns: how long until it is tried again; nil when nothing is left.
    private func goOn() async -> Duration? {
        // Without a writer it is all in the file, and waits there.
        guard let writes = state.withLock({ $0.writes }) else { return nil }
        let isDone = await finish(writes)
        return state.withLock { state in
            let wait = state.wait
            state.wait = isDone ? Self.shortestWait : min(wait * 2, Self.longestWait)
            return isDone ? nil : wait
        }
    }

    /// - Returns: whether nothing is left.
    private func finish(_ writes: DatabaseWriter) async -> Bool {
        var stuck: Set<StuckWork.Place> = []
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
                // The rest goes on, and this does when somebody has mended the file.
                onTrouble(work)
                stuck.insert(work.place)
            } catch {
                // A full disk, or too many waiting.
                onTrouble(error)
                return false
            }
            if isBusy, !isAwaited() { try? await Task.sleep(for: max(pace.slice, began.duration(to: .now))) }
            // Its own write is one of them.
            isBusy = writes.accepted > before + 1
        }
    }

    private func advance(
        _ writes: DatabaseWriter, for duration: Duration, _ stuck: Set<StuckWork.Place>
    ) async throws -> Bool {
        try await writes.write(for: context()) { [pace, step] transaction in
            try step(transaction, WorkSlice(rows: pace.batch, lasting: duration), stuck)
        }
    }

    /// True if what is left has failed and is tried again.
    var isFailing: Bool { state.withLock { $0.wait > Self.shortestWait } }

    /// True if work may be left to do.
    var isWorking: Bool { work.isWorking }

    /// Returns once nothing is left to do.
    func finished() async { await work.finished() }

    /// Returns once nothing more is written.
    func close() async { await work.close() }
}
