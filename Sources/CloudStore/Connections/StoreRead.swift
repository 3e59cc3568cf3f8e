package import CloudModel

/// A read of an environment's records: on the caller's thread if brief, else through the queue.
package struct StoreRead<Answer: Sendable>: Sendable {
    /// Reads the answer on the caller's thread. Returns nil without an idle connection or for a long read; then call
    /// ``answer()``. The argument is the request's trace; nil for an unrecorded request.
    package let atOnce: @Sendable (RequestTrace?) throws -> Answer?
    private let waiting: @Sendable () async throws -> Answer

    init(
        atOnce: @escaping @Sendable (RequestTrace?) throws -> Answer?,
        waiting: @escaping @Sendable () async throws -> Answer
    ) {
        self.atOnce = atOnce
        self.waiting = waiting
    }

    /// An answer that needs no read.
    package init(_ answer: Answer) { self.init(atOnce: { _ in answer }, waiting: { answer }) }

    /// A read that always goes through the queue.
    package init(_ waiting: @escaping @Sendable () async throws -> Answer) {
        self.init(atOnce: { _ in nil }, waiting: waiting)
    }

    /// Reads the answer; may wait for a connection.
    package func answer() async throws -> Answer { try await waiting() }

    /// Transforms the answer.
    package func map<T: Sendable>(_ change: @escaping @Sendable (Answer) throws -> T) -> StoreRead<T> {
        StoreRead<T>(
            atOnce: { [atOnce] trace in
                guard let answer = try atOnce(trace) else { return nil }
                return try change(answer)
            },
            waiting: { [waiting] in try change(try await waiting()) })
    }

    /// Replaces an error by an answer.
    package func recovering(_ answer: @escaping @Sendable (any Error) throws -> Answer) -> StoreRead {
        StoreRead(
            atOnce: { [atOnce] trace in do { return try atOnce(trace) } catch { return try answer(error) } },
            waiting: { [waiting] in do { return try await waiting() } catch { return try answer(error) } })
    }

    /// Continues with a second read, chosen by the first answer.
    package func then<T: Sendable>(_ next: @escaping @Sendable (Answer) throws -> StoreRead<T>) -> StoreRead<T> {
        StoreRead<T>(
            atOnce: { [atOnce] trace in try atOnce(trace).flatMap { try next($0).atOnce(trace) } },
            waiting: { [waiting] in try await next(try await waiting()).answer() })
    }
}
