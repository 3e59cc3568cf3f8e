import Synchronization

/// Goes on with what schema changes left for later, one batch at a time between other writes, until nothing is left.
///
/// What is left is in the file, so it goes on where it was when the file is opened again.
final class SchemaWork: Sendable {
    private struct State {
        // Weak, since the door's transaction wakes this.
        weak var writes: WriteDoor?
        var task: Task<Void, Never>?
        var isWanted = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let pace: BuildPace
    private let step: @Sendable (WriteTransaction) throws -> Bool

    /// - Parameter step: does a batch; answers false when nothing is left.
    init(pace: BuildPace, step: @escaping @Sendable (WriteTransaction) throws -> Bool) {
        self.pace = pace
        self.step = step
    }

    /// Begins, with what an earlier run has left.
    func start(_ writes: WriteDoor) {
        state.withLock { $0.writes = writes }
        wake()
    }

    /// Lets it know that there is something to do.
    func wake() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isWanted = true
            if state.task == nil { state.task = Task { await self.run() } }
        }
    }

    private func run() async {
        while let writes = next() {
            do {
                var isMoreLeft = true
                while isMoreLeft {
                    await pace.pause()
                    isMoreLeft = try await Task.isCancelled ? false : writes.write(step)
                }
            } catch {
                // A full disk, or too many waiting: it is all in the file, and waits there.
                try? await Task.sleep(for: .seconds(5))
                state.withLock { $0.isWanted = true }
            }
        }
    }

    private func next() -> WriteDoor? {
        state.withLock { state in
            guard state.isWanted, !state.isClosed, let writes = state.writes else {
                state.task = nil
                return nil
            }
            state.isWanted = false
            return writes
        }
    }

    /// Returns once nothing is left to do.
    func settled() async { await state.withLock { $0.task }?.value }

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
