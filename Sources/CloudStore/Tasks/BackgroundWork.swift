import Synchronization

/// Work in steps that begins when it is woken, and goes on until nothing is left or it is closed.
///
/// One step runs at a time. Waking it during a step has another one follow.
final class BackgroundWork: Sendable {
    /// Does a step.
    ///
    /// - Returns: how long to wait before the next; nil when nothing is left until it is woken.
    typealias Step = @Sendable () async -> Duration?

    private struct State {
        var task: Task<Void, Never>?
        var isWanted = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Lets it know that there is something to do.
    ///
    /// - Parameter step: kept while there is something to do only, so it may hold the owner.
    func wake(_ step: @escaping Step) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isWanted = true
            if state.task == nil { state.task = Task { await self.run(step) } }
        }
    }

    private func run(_ step: Step) async {
        while begins() {
            guard let pause = await step() else { continue }
            state.withLock { $0.isWanted = true }
            try? await Task.sleep(for: pause)
        }
    }

    private func begins() -> Bool {
        state.withLock { state in
            guard state.isWanted, !state.isClosed else {
                state.task = nil
                return false
            }
            state.isWanted = false
            return true
        }
    }

    /// True if work may be left to do.
    var isWorking: Bool { state.withLock { $0.task != nil } }

    /// Returns once nothing is left to do.
    func finished() async { await state.withLock { $0.task }?.value }

    /// Cancels the step and the wait before the next, and returns once they have ended. None begins from now on.
    func close() async {
        let task = state.withLock { state in
            state.isClosed = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}
