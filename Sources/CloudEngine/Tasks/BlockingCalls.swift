import Dispatch

/// Threads for calls that wait for another program, which would otherwise block the few threads of the task pool.
enum BlockingCalls {
    /// Runs `body` on a separate thread.
    static func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            // A serial queue always gets a thread; concurrent queues share the threads of the task pool.
            DispatchQueue(label: "blocking call").async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension StoreEngine {
    /// Runs engine calls on the caller's thread if the engine responds at once, else on a separate thread.
    package func call<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        respondsAtOnce ? try body() : try await BlockingCalls.run(body)
    }
}
