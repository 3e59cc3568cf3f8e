import Dispatch

/// Threads for calls that wait for another program. A task that waited by itself would keep one of the few threads that
/// all tasks share.
enum BlockingCalls {
    /// Runs `body` on a thread of its own.
    static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            // A serial queue has a thread whatever the others wait for; a concurrent one shares those of all tasks.
            DispatchQueue(label: "blocking call").async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension StoreEngine {
    /// Runs calls of the engine: on the caller's thread where they answer at once, else on a thread of their own.
    func call<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        respondsAtOnce ? try body() : try await BlockingCalls.run(body)
    }
}
