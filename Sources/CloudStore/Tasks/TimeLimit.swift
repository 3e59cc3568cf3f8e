/// Waits for a task, but no longer than a time.
///
/// The task itself goes on: what waits for a disk or a network cannot be ended.
///
/// - Returns: nil once the time is over.
package func value<T: Sendable>(of task: Task<T, Never>, within time: Duration) async -> T? {
    let (outcomes, source) = AsyncStream<T?>.makeStream()
    let waiter = Task { source.yield(await task.value) }
    let timer = Task {
        try await Task.sleep(for: time)
        source.yield(nil)
    }
    defer {
        waiter.cancel()
        timer.cancel()
    }
    return await outcomes.first { _ in true } ?? nil
}
