import CloudEngine
import CloudModel
import DequeModule
import CloudSQL
import Synchronization

/// Runs writes: one connection, one group of requests per COMMIT, each request in its own savepoint.
///
/// Requests that arrive during a sync form the next group, so each pays a fraction of an fsync. Answers wait for the COMMIT
/// of their group.
package final class DatabaseWriter: Sendable {
    private struct Job: Sendable {
        /// Writes; returns whether to keep the changes, and the answer to call after the COMMIT.
        let run: @Sendable (WriteTransaction) -> (succeeded: Bool, answer: @Sendable () -> Void)
        let context: WriteContext?
        /// The record to prefetch.
        let record: NamedRecord?
        let isDry: Bool
        var visit: StoreVisit?
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: Deque<Job> = []
        var isDraining = false
        var accepted = 0
    }

    private static let mostWaiting = 20_000
    private static let largestGroup = 256
    /// Requests whose records are prefetched together.
    private static let mostAhead = 64
    /// Closes a group after this time, so that the first of many large requests is not held up by the last.
    static let longestGroup = Duration.milliseconds(10)

    private let connection: any EngineConnection
    private let file: OpenedFile
    private let meter: (any StoreMeter)?
    private let longestGroup: Duration
    private let transaction: Confined
    private let state = Mutex(State())

    /// - Parameters:
    ///   - longestGroup: the time after which a group is closed.
    ///   - transaction: makes the transaction that requests write through; confined to the connection's queue.
    init(
        connection: any EngineConnection, file: OpenedFile, meter: (any StoreMeter)? = nil,
        longestGroup: Duration = DatabaseWriter.longestGroup,
        transaction: (SQLConnection) throws -> WriteTransaction
    ) throws {
        self.connection = connection
        self.file = file
        self.meter = meter
        self.longestGroup = longestGroup
        self.transaction = Confined(value: try connection.write(transaction))
        connection.watchLog { file.noteLog($0) }
    }

    /// The writer's transaction, reused by all groups.
    private struct Confined: @unchecked Sendable {
        // Confined to the connection's serial queue.
        let value: WriteTransaction
    }

    /// Runs `body` in the next group, and notifies subscribers. A throw undoes the writes of `body` alone; a dry run always
    /// undoes them.
    ///
    /// - Parameters:
    ///   - context: the request's context; nil for writes without notifications.
    ///   - record: the record of a single-record request, to prefetch with the records of other requests.
    /// - Throws: errors of `body`; `THROTTLED` when the queue is full; `TRY_AGAIN_LATER` when the group could not be written
    ///   to disk.
    package func write<T: Sendable>(
        for context: WriteContext?, about record: NamedRecord? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws -> T {
        let isDry = DryRun.isOn
        return try await withCheckedThrowingContinuation { continuation in
            start(for: context, about: record, isDry: isDry, ReadClient.current?.trace, body) {
                continuation.resume(with: $0)
            }
        }
    }

    /// Like ``write(for:about:_:)``, without a task.
    ///
    /// - Parameters:
    ///   - trace: the request's trace, for the cost.
    ///   - done: called with the result, on the writer's thread or the caller's.
    func start<T: Sendable>(
        for context: WriteContext?, about record: NamedRecord?, isDry: Bool = false, _ trace: RequestTrace?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> T,
        _ done: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        let job = Job(
            run: { transaction in
                let result = Result {
                    let value = try body(transaction)
                    try transaction.finishRequest()
                    return value
                }
                let succeeded = if case .success = result { true } else { false }
                return (succeeded && !isDry, { done(result) })
            },
            context: context, record: record, isDry: isDry, visit: StoreVisit(trace), fail: { done(.failure($0)) })
        let (accepted, starts) = state.withLock { state in
            guard state.waiting.count < Self.mostWaiting else { return (false, false) }
            state.waiting.append(job)
            state.accepted += 1
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        guard accepted else {
            return done(
                .failure(
                    ServerError(
                        .throttled, "too many writes are waiting; try again", .limit(Self.mostWaiting), retryAfter: 1)))
        }
        if starts { connection.start { self.drain($0) } }
    }

    /// The number of writes accepted so far, finished or not.
    var accepted: Int { state.withLock { $0.accepted } }

    /// The number of queued writes.
    var waiting: Int { state.withLock { $0.waiting.count } }

    private func drain(_ db: SQLConnection) {
        while let first = next(elseStop: true) { commitGroup(startingWith: consume first, db) }
    }

    private func next(elseStop: Bool) -> Job? {
        state.withLock { state in
            let job = state.waiting.popFirst()
            if job == nil && elseStop { state.isDraining = false }
            return job
        }
    }

    private func commitGroup(startingWith first: consuming Job, _ db: SQLConnection) {
        var group = [consume first]
        do {
            try db.run("BEGIN IMMEDIATE")
            try transaction.value.beginGroup()
            let started = ContinuousClock.now
            var answers: [@Sendable () -> Void] = []
            var ahead = 0
            while true {
                let last = group.count - 1
                if ahead == 0 { ahead = try prefetch(for: group[last]) }
                ahead -= 1
                answers.append(try runInSavepoint(&group[last], db))
                let isFull = group.count >= Self.largestGroup || started.duration(to: .now) > longestGroup
                guard !isFull, let next = next(elseStop: false) else { break }
                // Append before any call that may throw: the catch fails every request of the group.
                group.append(next)
            }
            try transaction.value.flush()
            try file.checkPlace()
            try db.run("COMMIT")
            file.succeeded()
            meter?.committed(group.count, in: started.duration(to: .now))
            transaction.value.committed()
            for job in group { job.visit?.record() }
            // Each request's counts end with its answer.
            group = []
            answers.reverse()
            while let answer = answers.popLast() { answer() }
            transaction.value.answered()
        } catch {
            _ = try? db.rollBack()
            transaction.value.lost()
            let reason = passing(error)
            for job in group { job.visit?.record() }
            for job in group { job.fail(reason) }
        }
    }

    /// Prefetches the records of `first` and of the requests queued behind it.
    ///
    /// - Returns: the number of these requests.
    private func prefetch(for first: Job) throws -> Int {
        let records = state.withLock { [first.record] + $0.waiting.prefix(Self.mostAhead - 1).map(\.record) }
        let named = records.compactMap(\.self)
        // A single record is left to its own request.
        if named.count > 1 { try transaction.value.prefetched.fetchAhead(named, transaction.value) }
        return records.count
    }

    private func runInSavepoint(_ job: inout Job, _ db: SQLConnection) throws -> @Sendable () -> Void {
        job.visit?.begin(db)
        defer { job.visit?.end(db) }
        transaction.value.beginRequest(job.context, job.visit?.trace, isDry: job.isDry)
        let (succeeded, answer) = job.run(transaction.value)
        // A full disk or a damaged page ends the whole transaction, and every request of the group fails.
        try db.requireTransaction()
        try transaction.value.endRequest(keep: succeeded)
        return answer
    }

    private func passing(_ error: any Error) -> any Error {
        let error = file.passing(error)
        guard error is SQLError else { return error }
        return ServerError(
            .tryAgainLater, "the change could not be written to disk; try again", .server(.disk), retryAfter: 5)
    }

    /// Checkpoints the log into the file, then closes.
    func closeWhole() throws {
        try connection.checkpoint()
        try close()
    }

    func freeMemory() -> MemoryRelease { connection.freeMemory() }

    /// - Returns: the end of this opening's epoch; nil if it wrote nothing.
    @discardableResult
    func close() throws -> EpochMemory.Left? {
        let left = try connection.use { _ in transaction.value.positions.left }
        try connection.close()
        return left
    }
}
