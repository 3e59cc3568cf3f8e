import Synchronization

/// When which of many waiters was told something.
package final class Arrivals: Sendable {
    private struct State {
        var times: [ContinuousClock.Instant] = []
        var counts: [Int]
        var expected = Int.max
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    package init(waiters: Int) { state = Mutex(State(counts: Array(repeating: 0, count: waiters))) }

    package func note(_ waiter: Int) {
        let now = ContinuousClock.now
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.times.append(now)
            state.counts[waiter] += 1
            return state.times.count >= state.expected ? state.waiting.take() : nil
        }
        waiting?.resume()
    }

    /// How often each waiter was told something, altogether.
    package var counts: [Int] { state.withLock { $0.counts } }

    /// Forgets what has come so far.
    package func begin(expecting count: Int) {
        state.withLock { state in
            state.times = []
            state.expected = count
        }
    }

    /// Waits until as many have come as were expected, or until `limit` has passed.
    ///
    /// - Returns: when each came.
    package func all(within limit: Duration) async -> [ContinuousClock.Instant] {
        let late = Task {
            try await Task.sleep(for: limit)
            state.withLock { $0.waiting.take() }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if state.times.count >= state.expected { return true }
                state.waiting = continuation
                return false
            }
            if isComplete { continuation.resume() }
        }
        late.cancel()
        return state.withLock { $0.times }
    }
}
