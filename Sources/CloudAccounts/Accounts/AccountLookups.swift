import CloudEngine
import CloudModel
import CloudSQL
import Synchronization

/// Looks up single credentials for requests, on a separate connection. Readers of the pool hold a connection while they wait
/// for a thread; a request that held a thread while it waited for such a connection could deadlock.
final class AccountLookups: Sendable {
    private let connection: any EngineConnection
    private let respondsAtOnce: Bool
    /// Time and error of the last lookup that the database did not answer.
    private let failed = Mutex<(at: ContinuousClock.Instant, error: any Error)?>(nil)

    /// - Parameter respondsAtOnce: whether lookups may run on the calling thread.
    init(_ connection: any EngineConnection, respondsAtOnce: Bool) {
        self.connection = connection
        self.respondsAtOnce = respondsAtOnce
    }

    /// Runs `body`, in a transaction if it has several statements.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if the database does not answer. Lookups queued behind a failed lookup fail with the same
    ///   error, so that none waits longer than the first.
    func run<T: Sendable>(
        isOneStatement: Bool = true, _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) async throws -> T {
        if respondsAtOnce { return try connection.run(isOneStatement, body) }
        let begin = ContinuousClock.now
        return try await withCheckedThrowingContinuation { continuation in
            connection.start { db in
                continuation.resume(with: Result { try self.answer(since: begin, db, isOneStatement, body) })
            }
        }
    }

    private func answer<T>(
        since begin: ContinuousClock.Instant, _ db: SQLConnection, _ isOneStatement: Bool,
        _ body: (SQLConnection) throws -> T
    ) throws -> T {
        if let failed = failed.withLock({ $0 }), failed.at > begin { throw failed.error }
        do { return try db.run(isOneStatement, body) } catch let error as ServerError where error.code == .tryAgainLater
        {
            failed.withLock { $0 = (.now, error) }
            throw error
        }
    }

    /// Runs `body` on the calling thread, which may block.
    func runBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T { try connection.use(body) }

    func close() throws { try connection.close() }
}

extension EngineConnection {
    fileprivate func run<T>(_ isOneStatement: Bool, _ body: (SQLConnection) throws -> T) throws -> T {
        try use { try $0.run(isOneStatement, body) }
    }
}

extension SQLConnection {
    fileprivate func run<T>(_ isOneStatement: Bool, _ body: (SQLConnection) throws -> T) throws -> T {
        isOneStatement ? try body(self) : try transaction("BEGIN DEFERRED") { try body(self) }
    }
}
