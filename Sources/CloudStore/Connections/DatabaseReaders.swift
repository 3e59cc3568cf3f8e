import CloudEngine
import CloudModel
package import CloudSQL
import DequeModule
import Foundation
import Synchronization

/// Runs reads: a few connections drain one shared queue, and each read has its own snapshot. The first connection opens
/// immediately, further connections on demand.
///
/// Readers never wait for the writer (WAL), and quick reads use idle connections beside slow reads. A client's reads have a
/// budget and a fair share of the connections. Small reads in the queue share a snapshot.
package final class DatabaseReaders: Sendable {
    private struct Job: Sendable {
        /// Nil for reads outside the fair queue.
        let client: ReadClient?
        let work: Work
        /// Called instead of the read once its client has hung up.
        let cancel: @Sendable () -> Void
    }

    private enum Work: Sendable {
        case read(@Sendable (SQLConnection, Reader) -> Void)
        /// Leaves the transaction open for the small reads behind it.
        case smallRead(RecordPrefetch?, @Sendable (SQLConnection, Reader) -> Void)
        /// Takes the connection of this number; the holder gives it back with ``release(_:_:)``.
        case hold(@Sendable (Int) -> Void)
    }

    private struct State {
        var waiting: Deque<Job> = []
        var idle: [Int]
        /// Connections of an engine in another process that run a read of unknown size, or are held.
        var long = 0
        var turns: FairReadQueue<Job>
    }

    private static let mostWaiting = 20_000
    /// Small reads that share a snapshot. The last waits for the whole group.
    private static let mostTogether = 16
    /// Connections that small reads keep busy at a time on an engine in another process: fewer connections share a snapshot
    /// among more reads.
    private static let smallAtOnce = max(2, ProcessInfo.processInfo.activeProcessorCount)
    private let file: OpenedFile
    let engine: any StoreEngine
    let connections: Int
    private let budget: ReadBudget
    private let first: Reader
    private let others: Mutex<[Int: Reader]>
    private let state: Mutex<State>

    init(file: OpenedFile, engine: any StoreEngine, connections count: Int, limits: Limits) throws {
        self.file = file
        self.engine = engine
        connections = count
        budget = ReadBudget(limits)
        first = Reader(try engine.opener.openForReading(file.path), budget)
        others = Mutex([:])
        // Connections are popped from the end, so index 0 goes first.
        state = Mutex(State(idle: (0..<count).reversed(), turns: FairReadQueue(connections: count)))
    }

    struct Reader: @unchecked Sendable {
        let connection: any EngineConnection
        // Confined to the use of the connection.
        let watch: ReadGuard

        init(_ connection: any EngineConnection, _ budget: ReadBudget) {
            watch = ReadGuard(budget)
            self.connection = connection
            watch.install(on: connection)
        }
    }

    /// The reader of a connection, opened on first use; the first reader where opening fails.
    func reader(_ index: Int) -> Reader {
        if index == 0 { return first }
        return others.withLock { others in
            if let reader = others[index] { return reader }
            guard let connection = try? engine.opener.openForReading(file.path) else { return first }
            let reader = Reader(connection, budget)
            others[index] = reader
            return reader
        }
    }

    /// The number of reads in the queue or parked for their turn.
    var waiting: Int { state.withLock { $0.waiting.count + $0.turns.parkedCount } }

    package enum Size {
        /// A few rows by key.
        case small
        case unknown
    }

    /// Attempts at a read whose table a schema change keeps dropping.
    private static let mostTries = 3

    /// Runs `body` in one read transaction.
    ///
    /// Restarts the read with the new schema if a schema change drops a table first: a PostgreSQL snapshot does not keep the
    /// table.
    ///
    /// With an idle connection, `body` runs on the caller's thread: two thread switches cost more than a lookup. A long read
    /// of unknown size restarts on the connection's own thread, to keep the caller's thread free.
    ///
    /// - Parameters:
    ///   - prefetch: the record of a small read.
    ///   - undo: reverts side effects of `body` outside the database before a restart.
    ///   - body: may run twice.
    /// - Throws: errors of `body`; `THROTTLED` when the queue is full; `BAD_REQUEST` past the budget of a client's read;
    ///   `CancellationError` once the client has hung up.
    package func read<T: Sendable>(
        _ size: Size = .unknown, prefetch: @autoclosure () -> RecordPrefetch? = nil,
        undo: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) async throws -> T {
        let client = ReadClient.current
        if let held = HeldSnapshot.of(self) {
            return try await read(in: held, size, client, body)
        }
        let waitsItsTurn = size == .unknown ? client : nil
        if let connection = takeIdle(waitsItsTurn) {
            let notes = size == .unknown ? client?.trace?.notes : nil
            do {
                defer { release(connection, waitsItsTurn) }
                let (reader, visit) = (reader(connection), StoreVisit(client?.trace))
                return try reader.connection.use {
                    try snapshot($0, reader, client, visit, isBrief: size == .unknown, body)
                }
            } catch let error where error is ReadGuard.TakesLong || (error as? ServerError)?.isTableGone == true {
                if let notes { client?.trace?.restore(notes) }
                undo()
            }
        }
        let prefetch = size == .small ? prefetch() : nil
        return try await withCheckedThrowingContinuation { continuation in
            let visit = StoreVisit(client?.trace)
            let run: @Sendable (SQLConnection, Reader) -> Void = { db, reader in
                let read = { try self.snapshot(db, reader, client, visit, isShared: size == .small, body) }
                continuation.resume(
                    with: Result {
                        for _ in 1..<Self.mostTries {
                            do { return try read() } catch let error as ServerError where error.isTableGone { undo() }
                        }
                        return try read()
                    })
            }
            let job = Job(
                client: waitsItsTurn, work: size == .small ? .smallRead(prefetch, run) : .read(run),
                cancel: { continuation.resume(throwing: CancellationError()) })
            do { try wait(job) } catch { continuation.resume(throwing: error) }
        }
    }

    /// Runs `body` in one read transaction on the caller's thread, if the read is brief.
    ///
    /// The caller may be an event loop: the read never queues and has a limit of steps.
    ///
    /// - Parameters:
    ///   - trace: the request's trace, for the cost.
    ///   - allowance: counts the bytes that `body` reads, and ends a large read.
    /// - Returns: nil without an idle connection, on an engine in another process, and for a long read, whose notes are
    ///   dropped.
    /// - Throws: errors of `body`.
    func readAtOnce<T>(
        _ trace: RequestTrace?, _ allowance: ResponseAllowance?, _ body: (SQLConnection) throws -> T
    ) throws -> T? {
        guard let connection = takeIdle(nil) else { return nil }
        defer { release(connection, nil) }
        let (reader, visit) = (reader(connection), StoreVisit(trace))
        let notes = allowance == nil ? nil : trace?.notes
        func read() throws -> T {
            try reader.connection.use { try snapshot($0, reader, nil, visit, isBrief: true, body) }
        }
        do {
            if let value = try allowance.map({ try $0.briefly(read) }) ?? read() { return value }
        } catch let error where error is ReadGuard.TakesLong || (error as? ServerError)?.isTableGone == true {}
        if let notes { trace?.restore(notes) }
        return nil
    }

    /// Takes a connection; the holder gives it back with ``release(_:_:)``.
    ///
    /// - Throws: as ``read(_:undo:_:)`` does.
    func hold(_ client: ReadClient?) async throws -> Int {
        if let connection = takeIdle(client) { return connection }
        return try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                client: client, work: .hold { continuation.resume(returning: $0) },
                cancel: { continuation.resume(throwing: CancellationError()) })
            do { try wait(job) } catch { continuation.resume(throwing: error) }
        }
    }

    /// - Throws: `THROTTLED` when the queue is full.
    private func wait(_ job: Job) throws {
        let (accepted, connection) = state.withLock { state in
            guard state.waiting.count + state.turns.parkedCount < Self.mostWaiting else { return (false, Int?.none) }
            state.waiting.append(job)
            let busy = connections - state.idle.count - state.long
            if case .smallRead = job.work, !engine.respondsAtOnce, busy >= Self.smallAtOnce { return (true, nil) }
            return (true, state.idle.popLast())
        }
        guard accepted else {
            throw ServerError(
                .throttled, "too many requests are waiting; try again", .limit(Self.mostWaiting), retryAfter: 1)
        }
        if let connection { startDraining(connection) }
    }

    private func takeIdle(_ client: ReadClient?) -> Int? {
        state.withLock { state in
            guard engine.respondsAtOnce, state.waiting.isEmpty, !state.idle.isEmpty,
                client.map({ state.turns.mayBegin($0.name) }) ?? true
            else { return nil }
            let connection = state.idle.removeLast()
            if let client { state.turns.begin(client.name) }
            return connection
        }
    }

    /// Gives a connection back, or starts the queued reads on it.
    func release(_ connection: Int, _ client: ReadClient?) {
        let othersWait = state.withLock { state in
            Self.end(client, &state)
            // Engines in another process hand out held connections only through the queue, which counted them.
            if !engine.respondsAtOnce { state.long -= 1 }
            if state.waiting.isEmpty { state.idle.append(connection) }
            return !state.waiting.isEmpty
        }
        if othersWait { startDraining(connection) }
    }

    private func startDraining(_ connection: Int) {
        let reader = reader(connection)
        reader.connection.start { self.drain($0, reader, connection) }
    }

    private func drain(_ db: SQLConnection, _ reader: Reader, _ connection: Int) {
        while let job = next(connection) {
            if job.client?.hasGone == true {
                job.cancel()
            } else {
                switch job.work {
                case .read(let run):
                    state.withLock { $0.long += 1 }
                    run(db, reader)
                    state.withLock { $0.long -= 1 }
                case .smallRead(let prefetch, let run): runTogether([(prefetch, run)] + nextSmall(), db, reader)
                case .hold(let take):
                    state.withLock { $0.long += 1 }
                    return take(connection)
                }
            }
            state.withLock { Self.end(job.client, &$0) }
        }
    }

    private typealias SmallRead = (prefetch: RecordPrefetch?, run: @Sendable (SQLConnection, Reader) -> Void)

    /// Runs small reads in one snapshot. Each read was queued before the snapshot began, so it sees all earlier commits.
    ///
    /// The shared prefetch counts towards no client's budget.
    private func runTogether(_ reads: [SmallRead], _ db: SQLConnection, _ reader: Reader) {
        db.rememberingSnapshot {
            if reads.count > 1, !reader.watch.isHeld { prefetch(reads.compactMap(\.prefetch), db) }
            for read in reads { read.run(db, reader) }
        }
        guard db.isInsideTransaction, !reader.watch.isHeld else { return }
        // Ignore errors: small reads write nothing, and every caller has its answer.
        do { try db.run("COMMIT") } catch { try? db.rollBack() }
    }

    /// Ignores errors: each read repeats the statement and reports the error to its caller.
    private func prefetch(_ prefetches: [RecordPrefetch], _ db: SQLConnection) {
        do {
            try db.run("BEGIN DEFERRED")
            try RecordPrefetch.run(prefetches, db)
        } catch {
            try? db.rollBack()
        }
    }

    /// Takes the small reads at the head of the queue, up to the size of a group.
    private func nextSmall() -> [SmallRead] {
        state.withLock { state in
            var reads: [SmallRead] = []
            while reads.count < Self.mostTogether - 1,
                case .smallRead(let prefetch, let run) = state.waiting.first?.work
            {
                reads.append((prefetch, run))
                state.waiting.removeFirst()
            }
            return reads
        }
    }

    /// Takes the next job that may run; gives the connection back when the queue is empty.
    private func next(_ connection: Int) -> Job? {
        state.withLock { state in
            while let job = state.waiting.popFirst() {
                guard let client = job.client else { return job }
                if state.turns.mayBegin(client.name) {
                    state.turns.begin(client.name)
                    return job
                }
                state.turns.park(job, of: client.name)
            }
            state.idle.append(connection)
            return nil
        }
    }

    private static func end(_ client: ReadClient?, _ state: inout State) {
        if let client, let next = state.turns.end(client.name) { state.waiting.append(next) }
    }

    private func read<T: Sendable>(
        in held: HeldSnapshot, _ size: Size, _ client: ReadClient?,
        _ body: @escaping @Sendable (SQLConnection) throws -> T
    ) async throws -> T {
        let visit = StoreVisit(client?.trace)
        return try await held.use(size) { db in
            try self.guarded(db, held.reader, client, visit) { try body(db) }
        }
    }

    /// - Parameter isShared: true to use an open snapshot and leave it open.
    private func snapshot<T>(
        _ db: SQLConnection, _ reader: Reader, _ client: ReadClient?, _ visit: StoreVisit?, isBrief: Bool = false,
        isShared: Bool = false, _ body: (SQLConnection) throws -> T
    ) throws -> T {
        try reader.watch.requireFree()
        do {
            return try guarded(db, reader, client, visit, isBrief: isBrief) {
                if !isShared || !db.isInsideTransaction { try db.run("BEGIN DEFERRED") }
                let value = try body(db)
                if !isShared { try db.run("COMMIT") }
                return value
            }
        } catch {
            try db.rollBack()
            throw error
        }
    }

    /// Runs `body` within the read budget, and records its cost.
    private func guarded<T>(
        _ db: SQLConnection, _ reader: Reader, _ client: ReadClient?, _ visit: StoreVisit?, isBrief: Bool = false,
        _ body: () throws -> T
    ) throws -> T {
        var visit = visit
        visit?.begin(db)
        defer {
            visit?.end(db)
            visit?.record()
        }
        reader.watch.begin(client, isBrief: isBrief)
        do {
            let value = try body()
            reader.watch.end()
            return value
        } catch {
            reader.watch.end()
            throw reader.watch.refusal ?? file.passing(error)
        }
    }

    func freeMemory() -> [MemoryRelease] {
        ([first] + others.withLock { Array($0.values) }).map { $0.connection.freeMemory() }
    }

    func close() throws {
        for reader in [first] + others.withLock({ $0.values }) {
            try reader.connection.close()
        }
    }
}
