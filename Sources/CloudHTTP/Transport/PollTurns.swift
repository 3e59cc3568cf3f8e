import DequeModule
import Synchronization

/// Limits the number of polls that read the store at once.
///
/// Thousands of polls may start or end together, and a task keeps the memory of its deepest call. A queued poll is
/// therefore a closure, which becomes a task on its turn.
package final class PollTurns: Sendable {
    package typealias Look = @Sendable (Turn) async -> Void

    /// The number of concurrent turns. Turns use the processor only, so more concurrency would finish no earlier.
    private static let most = 64

    private let state = Mutex((taken: 0, waiting: Deque<Look>()))
    private let mayTakeLong: @Sendable () -> Bool

    /// - Parameter mayTakeLong: true if a test's fault may delay a look; looks then run unlimited.
    package init(mayTakeLong: @escaping @Sendable () -> Bool) { self.mayTakeLong = mayTakeLong }

    /// A poll's slot. The poll ends the turn before it waits for another event.
    package final class Turn: Sendable {
        /// Nil for an unlimited turn.
        private let turns: PollTurns?
        private let isOver = Atomic(false)

        fileprivate init(_ turns: PollTurns?) { self.turns = turns }

        package func end() {
            if !isOver.exchange(true, ordering: .relaxed) { turns?.end() }
        }
    }

    /// Runs `look` in a task, now or on its turn. The turn ends with `look` at the latest.
    package func begin(_ look: @escaping Look) {
        if mayTakeLong() {
            _ = Task { await look(Turn(nil)) }
            return
        }
        let isNow = state.withLock { state in
            guard state.taken < Self.most else {
                state.waiting.append(look)
                return false
            }
            state.taken += 1
            return true
        }
        if isNow { run(look) }
    }

    private func run(_ look: @escaping Look) {
        Task {
            let turn = Turn(self)
            await look(turn)
            turn.end()
        }
    }

    private func end() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.taken -= 1 }
            return next
        }
        if let next { run(next) }
    }
}
