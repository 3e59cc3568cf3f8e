import Synchronization

/// Tells whether a webhook's courier rests because its queue is empty, and so nothing is pushed out of it.
final class CourierRest: Sendable {
    private let isResting = Mutex(false)
    private let ends = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    func begin() { isResting.withLock { $0 = true } }

    func end() {
        isResting.withLock { $0 = false }
        ends.continuation.yield()
    }

    /// Returns once the courier does not rest, or the task is cancelled. For one task.
    func ended() async {
        while isResting.withLock({ $0 }), !Task.isCancelled { for await _ in ends.stream { break } }
    }
}
