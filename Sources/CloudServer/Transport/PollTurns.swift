import DequeModule
import Synchronization

/// Lets a few polls at a time look for what waits for them.
///
/// Thousands come at once, or end at once, and a task keeps the memory of the deepest call it has made. So one that has to
/// wait for its turn is a closure.
final class PollTurns: Sendable {
    typealias Look = @Sendable (Turn) async -> Void

    /// What they look at takes processor time and no waiting, so that more at once would not be done earlier.
    private static let most = 64

    private let state = Mutex((taken: 0, waiting: Deque<Look>()))
    private let mayTakeLong: @Sendable () -> Bool

    /// - Parameter mayTakeLong: whether a look may take as long as a test wants, and all are to look at once.
    init(mayTakeLong: @escaping @Sendable () -> Bool) { self.mayTakeLong = mayTakeLong }

    /// What a poll may do until it ends it; whoever has to wait for others ends it before.
    final class Turn: Sendable {
        /// Nil for one that is not counted.
        private let turns: PollTurns?
        private let isOver = Atomic(false)

        fileprivate init(_ turns: PollTurns?) { self.turns = turns }

        func end() {
            if !isOver.exchange(true, ordering: .relaxed) { turns?.end() }
        }
    }

    /// Runs `look` in a task, now or once it is its turn. The turn ends with it at the latest.
    func begin(_ look: @escaping Look) {
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
