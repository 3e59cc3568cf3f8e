package import CloudModel

/// A read of an environment's records: on the caller's thread where it takes a moment, else wherever it may wait.
package struct StoreRead<Answer: Sendable>: Sendable {
    /// The answer, read on the caller's thread. Nil where no connection is idle or the read takes long: then ``answer()``
    /// has to be asked. The trace is the request's; nil for one that is not recorded.
    package let atOnce: @Sendable (RequestTrace?) throws -> Answer?
    private let waiting: @Sendable () async throws -> Answer

    init(
        atOnce: @escaping @Sendable (RequestTrace?) throws -> Answer?,
        waiting: @escaping @Sendable () async throws -> Answer
    ) {
        self.atOnce = atOnce
        self.waiting = waiting
    }

    /// An answer that nothing has to be read for.
    package init(_ answer: Answer) { self.init(atOnce: { _ in answer }, waiting: { answer }) }

    /// A read that may always wait.
    package init(_ waiting: @escaping @Sendable () async throws -> Answer) {
        self.init(atOnce: { _ in nil }, waiting: waiting)
    }

    /// The answer, which may wait for a connection.
    package func answer() async throws -> Answer { try await waiting() }

    /// The read whose answer `change` makes of this one's.
    package func map<T: Sendable>(_ change: @escaping @Sendable (Answer) throws -> T) -> StoreRead<T> {
        StoreRead<T>(
            atOnce: { [atOnce] in try atOnce($0).map(change) },
            waiting: { [waiting] in try change(try await waiting()) })
    }

    /// The read that `answer` gives an answer where it ends with an error.
    package func recovering(_ answer: @escaping @Sendable (any Error) throws -> Answer) -> StoreRead {
        StoreRead(
            atOnce: { [atOnce] trace in do { return try atOnce(trace) } catch { return try answer(error) } },
            waiting: { [waiting] in do { return try await waiting() } catch { return try answer(error) } })
    }

    /// The read that follows from this one's answer.
    package func then<T: Sendable>(_ next: @escaping @Sendable (Answer) throws -> StoreRead<T>) -> StoreRead<T> {
        StoreRead<T>(
            atOnce: { [atOnce] trace in try atOnce(trace).flatMap { try next($0).atOnce(trace) } },
            waiting: { [waiting] in try await next(try await waiting()).answer() })
    }
}
