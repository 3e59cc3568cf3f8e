/// Schedules automatic work: soon after a local change, at once when woken, and every 15 minutes, with growing pauses after
/// failures.
final class Schedule: Sendable {
    private static let quiet = Duration.seconds(1)
    private static let net = Duration.seconds(900)
    private static let longestPause = Duration.seconds(300)

    private struct State {
        var hasFetched = false
        var wake: AsyncStream<Duration>.Continuation?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Fetching before the first send keeps sent versions from being unnecessarily outdated.
    var mustFetchFirst: Bool { state.withLock { !$0.hasFetched } }
    func fetched() { state.withLock { $0.hasFetched = true } }

    func changeAdded() { _ = state.withLock { $0.wake }?.yield(Self.quiet) }
    func wake() { _ = state.withLock { $0.wake }?.yield(.zero) }

    func stop() {
        let task = state.withLock { state in
            state.wake?.finish()
            return state.task
        }
        task?.cancel()
    }

    func run(_ work: @escaping @Sendable () async throws -> Void) {
        let (wakes, source) = AsyncStream<Duration>.makeStream(bufferingPolicy: .bufferingNewest(1))
        source.yield(.zero)
        let task = Task {
            var failures = 0
            for await pause in wakes {
                do {
                    try await Task.sleep(for: pause)
                    try await work()
                    failures = 0
                    Self.later(Self.net, source)
                } catch is CancellationError {
                    return
                } catch {
                    failures += 1
                    let most = min(Self.longestPause, .seconds(1 << min(failures, 16)))
                    let asked = Duration.seconds((error as? CKError)?.retryAfterSeconds ?? 0)
                    Self.later(max(asked, most * Double.random(in: 0...1)), source)
                }
            }
        }
        state.withLock { state in
            state.wake = source
            state.task = task
        }
    }

    private static func later(_ pause: Duration, _ source: AsyncStream<Duration>.Continuation) {
        Task {
            try await Task.sleep(for: pause)
            source.yield(.zero)
        }
    }
}
