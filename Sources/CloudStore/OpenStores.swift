import CloudEngine
package import CloudModel
import Synchronization

/// The open stores: at most ``most``, and idle stores are closed.
///
/// A reference to a store keeps it open. A store is closed only when no other reference exists, and reopened only after
/// the close, because each of two writers on one file would trust its own cache. References are handed out under the
/// lock, so a store found unused under the lock stays unused.
package final class OpenStores: Sendable {
    package struct Key: Hashable, Sendable {
        let container: Int64
        let environment: ContainerEnvironment

        package init(container: Int64, environment: ContainerEnvironment) {
            self.container = container
            self.environment = environment
        }
    }

    typealias Opening = @Sendable () async throws -> StoredEnvironment

    private struct Entry {
        /// Nil during opening and closing.
        var store: StoredEnvironment?
        /// Ends with the store after opening, with nil after closing.
        var change: Task<StoredEnvironment?, any Error>?
        var lastUse = ContinuousClock.now
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Stores closed for lack of room with work left, which resumes when there is room.
        var unfinished: Set<Key> = []
        var isClosed = false
    }

    private enum Answer {
        case open(StoredEnvironment)
        case changing(Task<StoredEnvironment?, any Error>)
        /// The limit is reached, and every store is in use.
        case full
    }

    /// The longest wait for a store to become unused, and the pause between attempts.
    private static let (patience, pause) = (Duration.seconds(10), Duration.milliseconds(5))

    /// The most open stores.
    let most: Int
    private let state = Mutex(State())
    private let onFault: @Sendable (Key, any Error) -> Void

    /// - Parameter onFault: called with errors of closing stores.
    init(most: Int, onFault: @escaping @Sendable (Key, any Error) -> Void) {
        self.most = most
        self.onFault = onFault
    }

    /// The store, if open.
    func current(_ key: Key) -> StoredEnvironment? { state.withLock { Self.use(key, &$0) } }

    /// The store, if open; not counted as a use.
    func peek(_ key: Key) -> StoredEnvironment? { state.withLock { $0.entries[key]?.store } }

    /// The store, opened by `open` on demand; an unused store is closed to make room.
    ///
    /// - Throws: errors of `open`; `TRY_AGAIN_LATER` when all stores stay in use for 10 s.
    func store(_ key: Key, _ open: @escaping Opening) async throws -> StoredEnvironment {
        let end = ContinuousClock.now + Self.patience
        while true {
            switch try next(key, open) {
            case .open(let store): return store
            case .changing(let change): if let store = try await change.value { return store }
            case .full:
                guard .now < end else {
                    throw ServerError(
                        .tryAgainLater, "\(most) environments are in use, the most that may be open (openEnvironments)",
                        .limit(most, "openEnvironments"),
                        retryAfter: 1)
                }
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func next(_ key: Key, _ open: @escaping Opening) throws -> Answer {
        try state.withLock { state in
            if let store = Self.use(key, &state) { return .open(store) }
            if let change = state.entries[key]?.change { return .changing(change) }
            guard !state.isClosed else {
                throw ServerError(.tryAgainLater, "the server is stopping", .server(.stopping), retryAfter: 5)
            }
            if state.entries.count >= most { return leastUsed(&state).map { .changing(close($0, &state)) } ?? .full }
            let change = Task {
                do {
                    let store = try await open()
                    self.state.withLock { state in
                        state.unfinished.remove(key)
                        state.entries[key] = Entry(store: store)
                    }
                    return StoredEnvironment?.some(store)
                } catch {
                    self.state.withLock { state in state.entries[key] = nil }
                    throw error
                }
            }
            state.entries[key] = Entry(change: change)
            return .changing(change)
        }
    }

    private static func use(_ key: Key, _ state: inout State) -> StoredEnvironment? {
        guard let index = state.entries.index(forKey: key), let store = state.entries.values[index].store else {
            return nil
        }
        state.entries.values[index].lastUse = .now
        return store
    }

    // MARK: Closing

    /// The least recently used unreferenced store; idle stores go before working stores.
    private func leastUsed(_ state: inout State) -> Key? {
        let order = state.entries.filter { $0.value.store != nil }
            .map { (key: $0.key, isWorking: $0.value.store?.isWorking ?? false, lastUse: $0.value.lastUse) }
            .sorted { $0.isWorking != $1.isWorking ? $1.isWorking : $0.lastUse < $1.lastUse }
        return order.first { Self.isUnused($0.key, &state) }?.key
    }

    private static func isUnused(_ key: Key, _ state: inout State) -> Bool {
        guard let index = state.entries.index(forKey: key) else { return false }
        return isKnownUniquelyReferenced(&state.entries.values[index].store)
    }

    private func close(_ key: Key, _ state: inout State) -> Task<StoredEnvironment?, any Error> {
        let store = state.entries[key]?.store
        if store?.isWorking == true { state.unfinished.insert(key) }
        let change = Task<StoredEnvironment?, any Error> {
            do { try await store?.close() } catch { onFault(key, error) }
            self.state.withLock { state in state.entries[key] = nil }
            return StoredEnvironment?.none
        }
        state.entries[key] = Entry(change: change)
        return change
    }

    /// Closes unused stores that are idle and without work, or for which `isGone` is true.
    func closeUnused(for time: Duration, isGone: @Sendable (Key) -> Bool = { _ in false }) {
        state.withLock { state in
            // Collect only keys: a copy of the entries would reference each store.
            let keys = state.entries.filter { key, entry in
                guard let store = entry.store else { return false }
                return entry.lastUse.duration(to: .now) >= time && !store.isWorking || isGone(key)
            }.map(\.key)
            for key in keys where Self.isUnused(key, &state) { _ = close(key, &state) }
        }
    }

    /// Frees the memory of connections that were idle since the last call.
    ///
    /// - Returns: whether a connection was freed, and whether clients wrote.
    func freeMemory() -> (isFreed: Bool, isWritten: Bool) {
        let released = state.withLock { $0.entries.values.compactMap { $0.store?.freeMemory() } }
        return (
            released.contains { ($0.reading + [$0.writing]).contains(.freed) },
            released.contains { $0.writing == .kept }
        )
    }

    /// Removes and returns unfinished stores, up to the available room.
    func unfinished() -> [Key] {
        state.withLock { state in
            let room = max(0, most - state.entries.count)
            let keys = Array(state.unfinished.prefix(room))
            state.unfinished.subtract(keys)
            return keys
        }
    }

    // MARK: Replacing

    /// A store being closed, with no new references.
    private final class Retired: Sendable {
        let store: Mutex<StoredEnvironment?>

        init(_ store: StoredEnvironment?) { self.store = Mutex(store) }

        var isUnused: Bool { store.withLock { $0 == nil || isKnownUniquelyReferenced(&$0) } }
    }

    private enum Turn {
        case mine(Task<Void, any Error>)
        case others(Task<StoredEnvironment?, any Error>)
    }

    /// Closes a store after its last use, then runs `body` before the store can reopen.
    ///
    /// - Throws: errors of `body`; `TRY_AGAIN_LATER` when the store stays in use, and then remains open.
    package func alone(_ key: Key, _ body: @escaping @Sendable () async throws -> Void) async throws {
        while true {
            switch try turn(key, body) {
            case .mine(let work): return try await work.value
            case .others(let change): _ = try? await change.value
            }
        }
    }

    private func turn(_ key: Key, _ body: @escaping @Sendable () async throws -> Void) throws -> Turn {
        try state.withLock { state in
            guard !state.isClosed else {
                throw ServerError(.tryAgainLater, "the server is stopping", .server(.stopping), retryAfter: 5)
            }
            if let change = state.entries[key]?.change { return .others(change) }
            let retired = Retired(state.entries.removeValue(forKey: key)?.store)
            let work = Task {
                defer {
                    let store = retired.store.withLock { $0 }
                    self.state.withLock { $0.entries[key] = store.map { Entry(store: $0) } }
                }
                try await Self.close(retired)
                try await body()
            }
            // Waiters look again after this task.
            state.entries[key] = Entry(
                change: Task {
                    _ = try? await work.value
                    return nil
                })
            return .mine(work)
        }
    }

    private static func close(_ retired: Retired) async throws {
        let end = ContinuousClock.now + patience
        while !retired.isUnused {
            guard .now < end else {
                throw ServerError(
                    .tryAgainLater, "requests in this environment are still running; try again when they are done",
                    .server(.database), retryAfter: 1)
            }
            try await Task.sleep(for: pause)
        }
        try await retired.store.withLock({ $0.take() })?.close()
    }

    /// Closes all stores concurrently, even those in use; later opens fail.
    func closeAll() async throws {
        let (stores, changes) = state.withLock { state in
            state.isClosed = true
            defer { state.entries = state.entries.filter { $0.value.store == nil } }
            return (state.entries.values.compactMap(\.store), state.entries.values.compactMap(\.change))
        }
        var late: [StoredEnvironment] = []
        for change in changes { if let store = try? await change.value { late.append(store) } }
        state.withLock { $0.entries.removeAll() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores + late { group.addTask { try await store.close() } }
            try await group.waitForAll()
        }
    }

    /// The faults of open stores.
    func faults() -> [Key: StoreFault] {
        open.compactMapValues { $0.file.fault }
    }

    /// The log sizes of open stores, in bytes.
    func logs() -> [Key: Int64] {
        open.mapValues { $0.file.logBytes }
    }

    var figures: ContainerStores.Figures {
        var figures = ContainerStores.Figures()
        for store in open.values {
            figures.open += 1
            figures.waitingWrites += store.writes.waiting
            figures.logBytes += store.file.logBytes
            figures.working += store.work.isWorking ? 1 : 0
            figures.failing += store.work.isFailing ? 1 : 0
        }
        return figures
    }

    private var open: [Key: StoredEnvironment] { state.withLock { $0.entries.compactMapValues(\.store) } }

    /// The keys of open stores.
    var keys: [Key] { state.withLock { $0.entries.filter { $0.value.store != nil }.map(\.key) } }

    /// The number of stores, with those being opened or closed.
    var count: Int { state.withLock { $0.entries.count } }
}
