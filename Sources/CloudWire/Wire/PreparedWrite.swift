package import CloudModel
package import CloudStore

/// A decoded write of an endpoint.
package enum PreparedWrite: Sendable {
    /// A write for the writer's queue. Its closures hide the result's type.
    case queued(StartedWrite)
    /// A write that also awaits a read, such as the owner of a new share or a sync token.
    case awaited(@Sendable () async throws -> JSONWriter)

    /// Queues the write, and calls back with the bytes of the answer's records, and a closure that makes the answer.
    package typealias StartedWrite =
        @Sendable (
            RequestTrace?, _ done: @escaping @Sendable (Int, @escaping @Sendable () throws -> JSONWriter) -> Void
        ) -> Void

    /// - Parameters:
    ///   - size: gives the answer's size, counting record bytes.
    ///   - answer: makes the answer of the stored write.
    package init<Stored: Sendable>(
        _ write: StoreWrite<Stored>, size: @escaping @Sendable (Stored) -> Int,
        _ answer: @escaping @Sendable (Stored) throws -> JSONWriter
    ) {
        self = .queued { trace, done in
            write.start(trace) { stored in done((try? stored.get()).map(size) ?? 0) { try answer(stored.get()) } }
        }
    }

    /// Writes within the caller's task.
    package func answer() async throws -> JSONWriter {
        switch self {
        case .queued(let start):
            let answer = await withCheckedContinuation { continuation in
                start(ReadClient.current?.trace) { continuation.resume(returning: $1) }
            }
            return try answer()
        case .awaited(let write): return try await write()
        }
    }
}
