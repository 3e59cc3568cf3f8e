package import CloudModel

/// A write of an environment, ready for the writer's queue.
package struct StoreWrite<Answer: Sendable>: Sendable {
    /// Queues the write, which needs no task, and calls back on the writer's thread after the commit. The first argument is
    /// the request's trace; nil for an unrecorded request.
    package let start:
        @Sendable (RequestTrace?, _ done: @escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void

    /// Writes within the caller's task.
    package func answer() async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            start(ReadClient.current?.trace) { continuation.resume(with: $0) }
        }
    }
}
