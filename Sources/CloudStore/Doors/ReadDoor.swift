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
        /// Whether a read of unknown size is running on its caller's thread.
        var isLargeReadInline = false
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

    enum Size {
        /// A few rows by key.
        case small
        case unknown
    }

    /// Runs `body` in one read transaction.
    ///
    /// With an idle connection it runs on the caller's thread, since two changes of thread cost more than a lookup.
    /// Of reads that may be large only one at a time does, so that they never take up every thread there is.
    ///
    /// - Throws: what `body` throws; `THROTTLED` when far too many reads wait already.
    func read<T: Sendable>(
        _ size: Size = .unknown, _ body: @escaping @Sendable (Database, StatementCache) throws -> T
    ) async throws -> T {
        if let connection = takeIdle(size) {
            defer { release(connection, size) }
            return try connections[connection].inDatabase { db in
                try Self.snapshot(db) { try body($0, caches.byConnection[connection]) }
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
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

    private func takeIdle(_ size: Size) -> Int? {
        state.withLock { state in
            guard state.waiting.isEmpty, size == .small || !state.isLargeReadInline,
                let connection = state.idle.popLast()
            else { return nil }
            if size == .unknown { state.isLargeReadInline = true }
            return connection
        }
    }

    /// Gives a connection back, or to those who came to wait meanwhile.
    private func release(_ connection: Int, _ size: Size) {
        let othersWait = state.withLock { state in
            if size == .unknown { state.isLargeReadInline = false }
            if state.waiting.isEmpty { state.idle.append(connection) }
            return !state.waiting.isEmpty
        }
        if othersWait { connections[connection].asyncWriteWithoutTransaction { self.drain($0, connection) } }
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
        for (connection, cache) in zip(connections, caches.byConnection) {
            connection.inDatabase { _ in cache.removeAll() }
            try connection.close()
        }
    }
}
