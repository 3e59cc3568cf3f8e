import Synchronization

/// A clock that tests of a development server control: ahead of a base clock, or frozen.
///
/// Time never goes back, since expired things must stay expired. A jump wakes every sleeper.
package final class SettableClock: Sendable {
    private struct State {
        var ahead = Duration.zero
        /// The frozen time; nil while running.
        var standing: Timestamp?
        var jumps = 0
        var sleepers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastSleeper = 0
    }

    /// The latest settable time: the end of the year 9999.
    package static let last = Timestamp(milliseconds: 253_402_300_799_000)

    private let base: Now
    private let state = Mutex(State())

    /// - Parameter base: the clock to follow until a test sets the time.
    package init(over base: @escaping Now = Timestamp.now) { self.base = base }

    package func now() -> Timestamp { state.withLock { time($0) } }

    /// The time, and whether the clock is frozen.
    package var reading: (now: Timestamp, isFrozen: Bool) { state.withLock { (time($0), $0.standing != nil) } }

    /// The number of jumps so far.
    package var jumps: Int { state.withLock { $0.jumps } }

    /// - Throws: `BAD_REQUEST` for a time before the current time or after ``last``.
    package func set(_ time: Timestamp) throws(ServerError) { try jump { _ in time } }

    /// - Throws: `BAD_REQUEST` for a step backwards or beyond ``last``.
    package func advance(by time: Duration) throws(ServerError) { try jump { $0 + time } }

    package func freeze() { state.withLock { $0.standing = time($0) } }

    /// Resumes from the frozen time.
    package func run() {
        state.withLock { state in
            guard let standing = state.standing else { return }
            state.ahead = standing - base()
            state.standing = nil
        }
    }

    private func time(_ state: State) -> Timestamp { state.standing ?? base() + state.ahead }

    private func jump(to target: (Timestamp) -> Timestamp) throws(ServerError) {
        let sleepers = try state.withLock { state throws(ServerError) in
            let now = time(state)
            let time = target(now)
            guard time >= now else {
                throw .badRequest(
                    "the clock is at \(now.milliseconds) and never goes back; start another server for an earlier time")
            }
            guard time <= Self.last else {
                throw .badRequest("the clock can be set to \(Self.last.milliseconds) at most")
            }
            if state.standing == nil { state.ahead = time - base() } else { state.standing = time }
            state.jumps += 1
            return Array(state.sleepers.values)
        }
        for sleeper in sleepers { sleeper.yield() }
    }

    /// Sleeps for a real time, or until the clock has made more than `jumps` jumps.
    ///
    /// - Throws: `CancellationError`, at once, when the task is cancelled.
    package func sleep(for time: Duration, since jumps: Int) async throws {
        let (stream, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id: Int? = state.withLock { state in
            guard state.jumps == jumps else { return nil }
            state.lastSleeper += 1
            state.sleepers[state.lastSleeper] = source
            return state.lastSleeper
        }
        guard let id else { return try Task.checkCancellation() }
        defer { state.withLock { $0.sleepers[id] = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Task.sleep(for: time) }
            group.addTask { for await _ in stream { return } }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }
}
