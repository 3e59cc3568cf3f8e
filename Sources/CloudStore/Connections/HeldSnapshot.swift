import CloudEngine
import CloudSQL
import Synchronization

/// A connection that one caller holds for several reads of the same snapshot.
final class HeldSnapshot: Sendable {
    @TaskLocal private static var held: HeldSnapshot?

    let readers: DatabaseReaders
    let reader: DatabaseReaders.Reader
    /// True if statements run in this process, so that the caller's thread may wait for them.
    private let respondsAtOnce: Bool
    /// True once the snapshot has ended: a task started inside may outlive it, and then reads like any other.
    private let isOver = Atomic(false)

    init(_ readers: DatabaseReaders, _ reader: DatabaseReaders.Reader) {
        self.readers = readers
        self.reader = reader
        respondsAtOnce = readers.engine.respondsAtOnce
    }

    /// The current task's snapshot of these readers; nil without one.
    static func of(_ readers: DatabaseReaders) -> HeldSnapshot? {
        guard let held, held.readers === readers, !held.isOver.load(ordering: .acquiring) else { return nil }
        return held
    }

    /// - Throws: `TRY_AGAIN_LATER` if a lack of file descriptors makes readers share a connection that is already held.
    func begin() async throws {
        try await use(.small) { [reader] db in
            try reader.watch.requireFree()
            try db.run("BEGIN DEFERRED")
            reader.watch.isHeld = true
        }
    }

    func end(_ statement: @escaping @Sendable (SQLConnection) throws -> Void) async throws {
        try await use(.small) { [reader] db in
            reader.watch.isHeld = false
            try statement(db)
        }
    }

    /// Runs `body` with this snapshot for its reads.
    func around<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        defer { isOver.store(true, ordering: .releasing) }
        return try await Self.$held.withValue(self, operation: body)
    }

    /// Runs statements on the connection: small reads on the caller's thread, larger reads on the connection's queue.
    func use<T: Sendable>(
        _ size: DatabaseReaders.Size, _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) async throws -> T {
        if respondsAtOnce, size == .small { return try reader.connection.use(body) }
        return try await withCheckedThrowingContinuation { continuation in
            reader.connection.start { db in continuation.resume(with: Result { try body(db) }) }
        }
    }
}

extension DatabaseReaders {
    /// Runs `body` with one snapshot for all its reads of this database.
    ///
    /// Holds a connection until the end, so `body` must not wait long for anything else.
    ///
    /// - Throws: errors of `body`; else as ``read(_:undo:_:)`` does.
    func inOneSnapshot<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        if HeldSnapshot.of(self) != nil { return try await body() }
        let client = ReadClient.current
        let connection = try await hold(client)
        defer { release(connection, client) }
        let held = HeldSnapshot(self, reader(connection))
        try await held.begin()
        do {
            let value = try await held.around(body)
            try await held.end { try $0.run("COMMIT") }
            return value
        } catch {
            try await held.end { try $0.rollBack() }
            throw error
        }
    }
}
