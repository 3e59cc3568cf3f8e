import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Reads for a client end: when they took too much, and when the client has gone.
@Suite(.timeLimit(.minutes(20)), .enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct ReadBudgetTests {
    /// Counts to so many, in about ten steps for each.
    private static func count(to most: Int, _ db: SQLConnection) throws -> Int64 {
        try db.first(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n",
            .integer(Int64(most))
        ) { $0.integer(0) } ?? 0
    }

    private static let unlimited: Limits = {
        var limits = Limits()
        (limits.readTime, limits.readSteps) = (.seconds(3600), .max)
        return limits
    }()

    private func readers(_ change: (inout Limits) -> Void = { _ in }) throws -> (TemporaryStore, DatabaseReaders) {
        let temporary = try TemporaryStore()
        var limits = Self.unlimited
        change(&limits)
        return (temporary, try Self.door(temporary, connections: 1, limits))
    }

    private static func door(_ temporary: TemporaryStore, connections: Int, _ limits: Limits) throws -> DatabaseReaders
    {
        try DatabaseReaders(
            file: OpenedFile(path: temporary.path, locations: SQLiteEngine().locations, place: "a test") { _ in },
            engine: SQLiteEngine(),
            connections: connections, limits: limits)
    }

    private func read(
        _ door: DatabaseReaders, as client: ReadClient?, to most: Int
    ) async throws -> Int64 {
        try await ReadClient.$current.withValue(client) {
            try await door.read { db in try Self.count(to: most, db) }
        }
    }

    @Test("A read that takes too many steps is refused with the number and the setting")
    func steps() async throws {
        let (temporary, door) = try readers { $0.readSteps = 100_000 }
        let error = await #expect(throws: ServerError.self) {
            try await read(door, as: ReadClient(name: "a"), to: 1_000_000)
        }
        #expect(error?.code == .badRequest && error?.retryAfter == nil)
        #expect(error?.reason.contains("100000 steps (limit.readSteps)") == true)
        // The connection is as good as before, and the server's own reads have no budget.
        #expect(try await read(door, as: ReadClient(name: "a"), to: 1000) == 1000)
        #expect(try await read(door, as: nil, to: 1_000_000) == 1_000_000)
        try door.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("A read that takes too long is refused with the number and the setting")
    func time() async throws {
        let (temporary, door) = try readers { $0.readTime = .seconds(1) }
        let error = await #expect(throws: ServerError.self) {
            try await read(door, as: ReadClient(name: "a"), to: 1_000_000_000)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains("1 seconds (limit.readTime)") == true)
        try door.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("A read ends when its client hangs up")
    func hangUp() async throws {
        let (temporary, door) = try readers()
        let polls = Tally()
        let client = ReadClient(name: "a") {
            polls.add()
            return polls.count > 10
        }
        await #expect(throws: CancellationError.self) { try await read(door, as: client, to: 1_000_000_000) }
        #expect(polls.count == 11)
        try door.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("A read ends when its task is cancelled")
    func cancelled() async throws {
        let (temporary, door) = try readers()
        let client = ReadClient(name: "a")
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await ReadClient.$current.withValue(client) {
                try await door.read { db in
                    start.yield()
                    return try Self.count(to: 1_000_000_000, db)
                }
            }
        }
        for await _ in started { break }
        client.end()
        await #expect(throws: CancellationError.self) { try await task.value }
        try door.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("Reads of a disconnected client that still wait are not run")
    func goneWhileWaiting() async throws {
        let (temporary, door) = try readers()
        let client = ReadClient(name: "a")
        let ran = Tally()
        let (started, start) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await ReadClient.$current.withValue(client) {
                try await door.read { db in
                    start.yield()
                    return try Self.count(to: 1_000_000_000, db)
                }
            }
        }
        // The read begins on its caller's thread, and again on the connection's own because it is long.
        var starts = started.makeAsyncIterator()
        for _ in 0..<2 { await starts.next() }
        let others = (0..<40).map { _ in
            Task {
                try await ReadClient.$current.withValue(client) {
                    try await door.read { _ in ran.add() }
                }
            }
        }
        while door.waiting < others.count { try await Task.sleep(for: .milliseconds(1)) }
        client.end()
        await #expect(throws: CancellationError.self) { try await first.value }
        for other in others { _ = try? await other.value }
        #expect(try await read(door, as: ReadClient(name: "b"), to: 1000) == 1000)
        #expect(ran.count == 0)
        try door.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("One client's reads take at most half of the connections, and a long read runs alone")
    func turns() async throws {
        var turns = FairReadQueue<Int>(connections: 4)
        for _ in 0..<2 {
            #expect(turns.mayBegin("a"))
            turns.begin("a")
        }
        #expect(!turns.mayBegin("a") && turns.mayBegin("b"))
        turns.park(1, of: "a")
        turns.park(2, of: "a")
        #expect(turns.parkedCount == 2)
        #expect(turns.end("a") == 1 && turns.end("a") == 2 && turns.parkedCount == 0)
        turns.begin("a")
        let begun = ContinuousClock.now
        while ContinuousClock.now - begun <= .milliseconds(20) { await Task.yield() }
        #expect(!turns.mayBegin("a") && turns.mayBegin("b"))
        #expect(turns.end("a") == nil && turns.mayBegin("a"))
    }

    @Test("Other clients are answered while one client's long reads wait")
    func fairness() async throws {
        let temporary = try TemporaryStore()
        let door = try Self.door(temporary, connections: 4, Self.unlimited)
        let slow = ReadClient(name: "slow")
        let (started, start) = AsyncStream<Void>.makeStream()
        let reads = (0..<40).map { _ in
            Task {
                try await ReadClient.$current.withValue(slow) {
                    try await door.read { db in
                        start.yield()
                        return try Self.count(to: 1_000_000_000, db)
                    }
                }
            }
        }
        for await _ in started { break }
        // None of the forty ends before these do.
        for _ in 0..<100 { #expect(try await read(door, as: ReadClient(name: "quick"), to: 100) == 100) }
        slow.end()
        for read in reads { await #expect(throws: CancellationError.self) { try await read.value } }
        try door.close()
    }
}

/// Counts from any thread.
final class Tally: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
