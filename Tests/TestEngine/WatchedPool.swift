import CloudSQL
import CloudStore

/// A pool that tells of each transaction that writes.
struct WatchedPool: SQLPool {
    let pool: any SQLPool
    let onWrite: @Sendable () -> Void

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        try await pool.read(body)
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        onWrite()
        return try await pool.write(body)
    }

    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        onWrite()
        return try pool.writeBlocking(body)
    }

    func migrate(_ migrations: [Migration]) throws { try pool.migrate(migrations) }
    func checkpoint() throws { try pool.checkpoint() }
    func close() throws { try pool.close() }
}
