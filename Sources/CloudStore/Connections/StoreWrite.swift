package import CloudModel

/// A write of an environment.
package enum StoreWrite<Answer: Sendable>: Sendable {
    /// Ready for the writer's queue, which needs no task. Calls back on the writer's thread after the commit. The first
    /// argument is the request's trace; nil for an unrecorded request.
    case queued(
        @Sendable (RequestTrace?, _ done: @escaping @Sendable (Result<Answer, any Error>) -> Void) -> Void)
    /// A write with something to await before or after it.
    case awaited(@Sendable () async throws -> Answer)

    /// Writes within the caller's task.
    package func answer() async throws -> Answer {
        switch self {
        case .queued(let start):
            try await withCheckedThrowingContinuation { continuation in
                start(ReadClient.current?.trace) { continuation.resume(with: $0) }
            }
        case .awaited(let write): try await write()
        }
    }
}
