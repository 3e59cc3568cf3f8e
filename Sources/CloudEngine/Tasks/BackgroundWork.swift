import Synchronization

/// Work in steps that starts when woken, and continues until it is finished or closed.
///
/// One step runs at a time. Waking during a step causes another step.
package final class BackgroundWork: Sendable {
    /// Does a step.
    ///
    /// - Returns: the delay before the next step; nil when nothing is left until the next ``wake(_:)``.
    package typealias Step = @Sendable () async -> Duration?

    private struct State {
        var task: Task<Void, Never>?
        var isWanted = false
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Starts the work, or requests another step.
    ///
    /// - Parameter step: released when the work ends, so a step may capture its owner.
    package func wake(_ step: @escaping Step) {
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

    /// True if work may be left.
    package var isWorking: Bool { state.withLock { $0.task != nil } }

    /// Returns when the work is finished.
    package func finished() async { await state.withLock { $0.task }?.value }

    /// Cancels the current step and any delay, and returns after they have ended. No step begins afterwards.
    package func close() async {
        let task = state.withLock { state in
            state.isClosed = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}
