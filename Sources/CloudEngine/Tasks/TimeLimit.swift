/// Waits for a task, with a time limit.
///
/// The task continues after the time limit, since disk or network calls cannot be ended.
///
/// - Returns: the task's value; nil at the time limit.
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
