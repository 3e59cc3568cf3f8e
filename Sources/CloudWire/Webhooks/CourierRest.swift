import Synchronization

/// Tracks whether a webhook's courier rests because its queue is empty, so that nothing can be pushed out of the queue.
final class CourierRest: Sendable {
    private let isResting = Mutex(false)
    private let ends = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func begin() { isResting.withLock { $0 = true } }

    func end() {
        isResting.withLock { $0 = false }
        ends.continuation.yield()
    }

    /// Returns once the courier is active or the task is cancelled. For a single caller.
    func ended() async {
        while isResting.withLock({ $0 }), !Task.isCancelled { for await _ in ends.stream { break } }
    }
}
