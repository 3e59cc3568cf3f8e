import CloudSQL
import Synchronization

/// A connection that one caller holds for several reads, all of which see the database at one moment.
final class HeldSnapshot: Sendable {
    @TaskLocal private static var held: HeldSnapshot?

    let readers: DatabaseReaders
    let reader: DatabaseReaders.Reader
    /// True if statements answer without waiting for another program, so that a caller's thread may wait for them.
    private let respondsAtOnce: Bool
    /// A task begun inside may outlive the snapshot, and then reads as others do.
    private let isOver = Atomic(false)

    init(_ readers: DatabaseReaders, _ reader: DatabaseReaders.Reader) {
        self.readers = readers
        self.reader = reader
        respondsAtOnce = readers.engine.respondsAtOnce
    }

    /// The snapshot of these readers that the current task holds; nil for none.
    static func of(_ readers: DatabaseReaders) -> HeldSnapshot? {
        guard let held, held.readers === readers, !held.isOver.load(ordering: .acquiring) else { return nil }
        return held
    }

    /// - Throws: `TRY_AGAIN_LATER` where several share a connection for want of file descriptors, and one holds it.
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

    /// Runs `body`, for whose reads this is the snapshot.
    func around<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        defer { isOver.store(true, ordering: .releasing) }
        return try await Self.$held.withValue(self, operation: body)
    }

    /// Runs statements on the connection: a few on the caller's thread, more on the connection's own.
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
    /// Runs `body`, whose reads of this database all see it at one moment.
    ///
    /// A connection is held until the end, so `body` must wait for nothing that takes long.
    ///
    /// - Throws: what `body` throws; else as ``read(_:undo:_:)`` does.
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
