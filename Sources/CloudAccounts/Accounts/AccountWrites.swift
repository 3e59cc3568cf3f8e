import Synchronization

/// Lets polling readers of the accounts sleep while no program writes.
final class AccountWrites: Sendable {
    private struct State {
        var isTold = true
        var last = ContinuousClock.now
        var sleepers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastSleeper = 0
    }

    private let longestCommit: Duration
    private let longestRest: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - longestCommit: the longest time from the report of a write to its commit.
    ///   - longestRest: the longest sleep, because a slow disk may exceed `longestCommit`.
    init(longestCommit: Duration = .seconds(5), longestRest: Duration = .seconds(60)) {
        self.longestCommit = longestCommit
        self.longestRest = longestRest
    }

    /// The number of sleeping callers.
    var resting: Int { state.withLock { $0.sleepers.count } }

    /// - Parameter isTold: false if writes are no longer reported; callers then no longer sleep.
    func note(isTold: Bool) {
        let sleepers = state.withLock { state in
            state.last = .now
            if !isTold { state.isTold = false }
            return state.sleepers.values.map(\.self)
        }
        for sleeper in sleepers { sleeper.yield() }
    }

    /// Returns at once after a recent write, else at the next write.
    ///
    /// - Parameter longest: the longest sleep.
    func wait(within longest: Duration = .seconds(3600)) async {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard state.isTold, state.last.duration(to: .now) > longestCommit else { return nil }
            state.lastSleeper += 1
            state.sleepers[state.lastSleeper] = source
            return state.lastSleeper
        }
        guard let id else { return }
        defer { state.withLock { $0.sleepers[id] = nil } }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [longestRest] in try? await Task.sleep(for: min(longest, longestRest)) }
            group.addTask { for await _ in stream { return } }
            await group.next()
            group.cancelAll()
        }
    }
}
