import CloudModel
import CloudSQL
import DequeModule
import Foundation
import Synchronization

/// The entrance for reads: a few connections, each draining one shared queue, each read in a snapshot of its own.
/// The first is there from the beginning, the others once they are needed.
///
/// Readers never wait for the writer (WAL), nor a quick read for a slow one while a connection is idle. Reads for a
/// client have a budget, and take turns with the client's other reads. Small reads that wait share a snapshot.
final class DatabaseReaders: Sendable {
    private struct Job: Sendable {
        /// Nil for reads that take no turns.
        let client: ReadClient?
        let work: Work
        /// Nobody waits for it any more.
        let cancel: @Sendable () -> Void
    }

    private enum Work: Sendable {
        case read(@Sendable (SQLConnection, Reader) -> Void)
        /// Leaves the transaction open for others that waited beside it.
        case smallRead(RecordPrefetch?, @Sendable (SQLConnection, Reader) -> Void)
        /// Takes the connection of this number, which is given back when its holder is done.
        case hold(@Sendable (Int) -> Void)
    }

    private struct State {
        var waiting: Deque<Job> = []
        var idle: [Int]
        /// Connections of an engine elsewhere that do a read of unknown size, or are held.
        var long = 0
        var turns: FairReadQueue<Job>
    }

    private static let mostWaiting = 20_000
    /// Small reads that share a snapshot. The last of them waits for the others.
    private static let mostTogether = 16
    /// Connections that small reads keep busy at a time, where the engine is another program: the fewer there are, the
    /// more reads share a snapshot.
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
        first = Reader(try engine.openForReading(file.path), budget)
        others = Mutex([:])
        // Taken from the end, so the first is taken first.
        state = Mutex(State(idle: (0..<count).reversed(), turns: FairReadQueue(connections: count)))
    }

    struct Reader: @unchecked Sendable {
        let connection: any EngineConnection
        // Touched only while the connection is used.
        let watch: ReadGuard

        init(_ connection: any EngineConnection, _ budget: ReadBudget) {
            watch = ReadGuard(budget)
            self.connection = connection
            watch.install(on: connection)
        }
    }

    /// One that cannot be opened leaves its reads to the first.
    func reader(_ index: Int) -> Reader {
        if index == 0 { return first }
        return others.withLock { others in
            if let reader = others[index] { return reader }
            guard let connection = try? engine.openForReading(file.path) else { return first }
            let reader = Reader(connection, budget)
            others[index] = reader
            return reader
        }
    }

    /// The number of reads that wait for a connection or for their turn.
    var waiting: Int { state.withLock { $0.waiting.count + $0.turns.parkedCount } }

    enum Size {
        /// A few rows by key.
        case small
        case unknown
    }

    /// The times that a read is made whose table a schema change drops meanwhile.
    private static let mostTries = 3

    /// Runs `body` in one read transaction.
    ///
    /// Where a schema change drops a table that it was about to read, it is begun anew with the schema of then. On
    /// PostgreSQL a snapshot does not keep the table.
    ///
    /// With an idle connection it runs on the caller's thread, since two changes of thread cost more than a lookup. One
    /// of unknown size that turns out to take long is begun anew on a thread of its own: others wait for the caller's.
    ///
    /// - Parameters:
    ///   - prefetch: the record that a small read is about.
    ///   - undo: takes back what `body` did outside of the database, before it is begun anew.
    ///   - body: may run twice.
    /// - Throws: what `body` throws; `THROTTLED` when far too many reads wait already; `BAD_REQUEST` past the budget
    ///   of a read for a client, `CancellationError` once it has hung up.
    func read<T: Sendable>(
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

    /// Runs `body` in one read transaction on the caller's thread, where that takes a moment.
    ///
    /// The caller may be an event loop: the read has no turn to wait for and few steps.
    ///
    /// - Parameters:
    ///   - trace: of the request, which the cost is noted in.
    ///   - allowance: counts the bytes that `body` reads, and ends a read of many.
    /// - Returns: nil where no connection is idle, where the engine is another program, and where the read takes long;
    ///   nothing is noted then.
    /// - Throws: what `body` throws.
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

    /// A connection that its holder is to give back with ``release(_:_:)``.
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

    /// - Throws: `THROTTLED` when far too many reads wait already.
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

    /// Gives a connection back, or to those who came to wait meanwhile.
    func release(_ connection: Int, _ client: ReadClient?) {
        let othersWait = state.withLock { state in
            Self.end(client, &state)
            // There nobody holds one that was not given to them here.
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

    /// Runs small reads in one snapshot. They waited before it began, so each sees what its caller knows to be there.
    ///
    /// What is read for all of them counts as nobody's.
    private func runTogether(_ reads: [SmallRead], _ db: SQLConnection, _ reader: Reader) {
        db.rememberingSnapshot {
            if reads.count > 1, !reader.watch.isHeld { prefetch(reads.compactMap(\.prefetch), db) }
            for read in reads { read.run(db, reader) }
        }
        guard db.isInsideTransaction, !reader.watch.isHeld else { return }
        // Nothing was written, and all have their answers.
        do { try db.run("COMMIT") } catch { try? db.rollBack() }
    }

    /// Each read meets by itself what goes wrong here, and tells its caller.
    private func prefetch(_ prefetches: [RecordPrefetch], _ db: SQLConnection) {
        do {
            try db.run("BEGIN DEFERRED")
            try RecordPrefetch.run(prefetches, db)
        } catch {
            try? db.rollBack()
        }
    }

    /// The small reads at the head of the queue, as many as may share a snapshot with another.
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

    /// The next job whose turn it is; gives the connection back when there is none.
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

    /// - Parameter isShared: true to go on in a snapshot that is open, and to leave it open.
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

    /// Runs `body` within the budget of a read, and notes its cost.
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

    func rest() -> [Rest] { ([first] + others.withLock { Array($0.values) }).map { $0.connection.rest() } }

    func close() throws {
        for reader in [first] + others.withLock({ $0.values }) {
            try reader.connection.close()
        }
    }
}
