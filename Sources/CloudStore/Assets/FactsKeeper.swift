import CloudAssets
import CloudEngine
import CloudMedia
import CloudModel
import Synchronization

/// The turns in which a process reads facts of files, of all its environments.
package struct FactsTurns: Sendable {
    /// Files that somebody waits for.
    private static let (atOnce, mostWaiting) = (4, 1000)

    let background: FairSemaphore
    let asked: FairSemaphore

    package init() {
        background = FairSemaphore(places: 1, mostWaiting: .max, refusal: Self.refusal)
        asked = FairSemaphore(places: Self.atOnce, mostWaiting: Self.mostWaiting, refusal: Self.refusal)
    }

    private static func refusal(_ waiting: Int) -> ServerError {
        ServerError(
            .throttled, "\(waiting) files wait to be read, the most that may", .limit(mostWaiting), retryAfter: 1)
    }
}

/// Reads facts of files of one environment and keeps them: those of new files in the background, a few between writes,
/// and those of a file that somebody waits for at once.
///
/// The work that is left stands in the database.
final class FactsKeeper: Sendable {
    private struct State {
        // Weak, since the writer's transaction refers to this object.
        weak var writes: DatabaseWriter?
        weak var reads: DatabaseReaders?
        var reading: [Int64: Task<FileFacts, any Error>] = [:]
        /// The delay after the next failure.
        var wait = FactsKeeper.shortestWait
    }

    private typealias Found = (asset: Int64, facts: FileFacts)

    /// Files whose facts are written together.
    private static let atOnce = 16
    private static let (shortestWait, longestWait) = (Duration.seconds(5), Duration.seconds(300))

    private let assets: any AssetStore
    private let turns: FactsTurns
    private let state = Mutex(State())
    private let work = BackgroundWork()

    init(_ assets: any AssetStore, _ turns: FactsTurns) {
        self.assets = assets
        self.turns = turns
    }

    /// Goes on with files that an earlier run left.
    func start(_ writes: DatabaseWriter, _ reads: DatabaseReaders) {
        state.withLock { ($0.writes, $0.reads) = (writes, reads) }
        wake()
    }

    /// Notes that records hold new files.
    func wake() { work.wake { await self.goOn() } }

    var isWorking: Bool { work.isWorking }

    /// Returns when the facts of all files are known.
    func finished() async { await work.finished() }

    /// Stops, and returns after the last write.
    func close() async { await work.close() }

    /// - Returns: the delay before the next attempt; nil when all is read.
    private func goOn() async -> Duration? {
        guard case (let writes?, let reads?) = state.withLock({ ($0.writes, $0.reads) }) else { return nil }
        do {
            while !Task.isCancelled, try await readSome(writes, reads) {}
            state.withLock { $0.wait = Self.shortestWait }
            return nil
        } catch {
            // A store of assets that cannot be reached, or a full disk.
            return state.withLock { state in
                defer { state.wait = min(state.wait * 2, Self.longestWait) }
                return state.wait
            }
        }
    }

    /// - Returns: false when no file is left.
    private func readSome(_ writes: DatabaseWriter, _ reads: DatabaseReaders) async throws -> Bool {
        let rows = try await reads.read(.small) { db in try FactsTable.waiting(limit: Self.atOnce, db) }
        guard !rows.isEmpty else { return false }
        var found: [Found] = []
        var failure: (any Error)?
        for row in rows {
            do {
                found.append((row.id, try await turns.background.run { try await read(row) }))
            } catch {
                failure = error
                break
            }
        }
        try await store(found, writes)
        if let failure { throw failure }
        return true
    }

    /// The facts of a file, read by whoever asks first and kept.
    func facts(of row: AssetTable.Row) async throws -> FileFacts {
        let task = state.withLock { state in
            if let task = state.reading[row.id] { return task }
            // An unstructured task: the first requester's cancellation must not fail other requesters.
            let task = Task { try await self.readNow(row) }
            state.reading[row.id] = task
            return task
        }
        return try await task.value
    }

    private func readNow(_ row: AssetTable.Row) async throws -> FileFacts {
        defer { state.withLock { $0.reading[row.id] = nil } }
        let facts = try await turns.asked.run { try await read(row) }
        if let writes = state.withLock({ $0.writes }) { try await store([(row.id, facts)], writes) }
        return facts
    }

    private func read(_ row: AssetTable.Row) async throws -> FileFacts {
        guard let contents = try await assets.open(row.file), contents.size == row.description.size else {
            var facts = FileFacts()
            facts.fault = .unreadable
            return facts
        }
        return try await FactsReader.facts(of: contents, checksum: row.description.crc32)
    }

    private func store(_ found: [Found], _ writes: DatabaseWriter) async throws {
        guard !found.isEmpty else { return }
        try await writes.write(for: nil) { transaction in
            for (asset, facts) in found { try FactsTable.store(facts, of: asset, transaction.db) }
        }
    }
}
