import CloudEngine
import CloudSQL
import Synchronization

/// One writer, and up to ``mostReaders`` readers, opened on demand.
final class PostgresPool: SQLPool {
    private struct State {
        var idle: [PostgresConnection] = []
        var count = 0
        var waiting: [CheckedContinuation<PostgresConnection, Never>] = []
    }

    private static let mostReaders = 4
    private let server: PostgresServer
    private let changes: AccountChanges
    private let schema: String
    private let writer: PostgresConnection
    private let state = Mutex(State())

    init(_ server: PostgresServer, schema: String, note: String, row: LockedRow, changes: AccountChanges) throws {
        self.server = server
        self.changes = changes
        self.schema = schema
        writer = PostgresConnection(server, schema: schema, row: row)
        try writer.makeSchema(note: note)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        let reader = await take()
        defer { giveBack(reader) }
        return try await run(on: reader) { db in try db.transaction("BEGIN DEFERRED") { try body(db) } }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> T) async throws -> T {
        // Note failed writes too: a lost commit may have succeeded.
        defer { changes.note() }
        return try await run(on: writer) { db in try db.transaction { try body(db) } }
    }

    func writeBlocking<T>(_ body: (SQLConnection) throws -> T) throws -> T {
        defer { changes.note() }
        return try writer.write(body)
    }

    private func run<T: Sendable>(
        on connection: PostgresConnection, _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            connection.start { db in continuation.resume(with: Result { try body(db) }) }
        }
    }

    private func take() async -> PostgresConnection {
        await withCheckedContinuation { continuation in
            let connection = state.withLock { state -> PostgresConnection? in
                if let connection = state.idle.popLast() { return connection }
                if state.count == Self.mostReaders {
                    state.waiting.append(continuation)
                    return nil
                }
                state.count += 1
                return PostgresConnection(server, schema: schema)
            }
            if let connection { continuation.resume(returning: connection) }
        }
    }

    private func giveBack(_ connection: PostgresConnection) {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.idle.append(connection)
                return CheckedContinuation<PostgresConnection, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: connection)
    }

    func migrate(_ migrations: [Migration]) throws { try writer.migrate(migrations) }
    func checkpoint() throws {}

    func close() throws {
        for reader in state.withLock({ $0.idle }) { try reader.close() }
        try writer.close()
    }
}
