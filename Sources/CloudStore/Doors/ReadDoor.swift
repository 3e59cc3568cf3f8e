import CloudModel
import DequeModule
import GRDB
import Synchronization

/// Where reads go in: a few connections, each draining one shared queue, each read in a snapshot of its own.
///
/// Readers never wait for the writer (WAL), nor a quick read for a slow one while a connection is idle.
final class ReadDoor: Sendable {
    private typealias Job = @Sendable (Database, StatementCache) -> Void

    private struct State {
        var waiting: Deque<Job> = []
        var idle: [Int]
    }

    private static let mostWaiting = 20_000
    private let connections: [DatabaseQueue]
    private let caches: Caches
    private let state: Mutex<State>

    init(path: String, connections count: Int) throws {
        connections = try (0..<count).map { _ in
            try DatabaseQueue(path: path, configuration: .records(readonly: true))
        }
        caches = Caches(byConnection: (0..<count).map { _ in StatementCache() })
        state = Mutex(State(idle: Array(0..<count)))
    }

    private struct Caches: @unchecked Sendable {
        // Each is touched on its own connection's serial queue only.
        let byConnection: [StatementCache]
    }

    /// Runs `body` in one read transaction.
    ///
    /// - Throws: what `body` throws; `THROTTLED` when far too many reads wait already.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await read { db, _ in try body(db) }
    }

    /// The same for reads with statements made to order.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Database, StatementCache) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { db, cache in
                continuation.resume(with: Result { try Self.snapshot(db) { try body($0, cache) } })
            }
            let (accepted, connection) = state.withLock { state in
                guard state.waiting.count < Self.mostWaiting else { return (false, Int?.none) }
                state.waiting.append(job)
                return (true, state.idle.popLast())
            }
            guard accepted else {
                continuation.resume(throwing: ServerError(.throttled, "too many requests are waiting", retryAfter: 1))
                return
            }
            if let connection { connections[connection].asyncWriteWithoutTransaction { self.drain($0, connection) } }
        }
    }

    private func drain(_ db: Database, _ connection: Int) {
        while true {
            let job = state.withLock { state in
                if let job = state.waiting.popFirst() { return Job?.some(job) }
                state.idle.append(connection)
                return nil
            }
            guard let job else { return }
            job(db, caches.byConnection[connection])
        }
    }

    private static func snapshot<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        try db.run("BEGIN DEFERRED")
        do {
            let value = try body(db)
            try db.run("COMMIT")
            return value
        } catch {
            if db.isInsideTransaction { try db.run("ROLLBACK") }
            throw error
        }
    }

    func close() throws {
        for connection in connections { try connection.close() }
    }
}
