import CloudModel
import Synchronization

/// The stores that are open: so many at most, and those nobody has used for a while closed again.
///
/// Whoever holds a reference to a store has it open. A store is closed only while nobody but this holds one, and opened
/// anew only once it is closed, since two writers over one file would each trust what they remember. New references are
/// handed out under the lock, so what is found unused under it stays so.
final class OpenStores: Sendable {
    struct Key: Hashable, Sendable {
        let container: Int64
        let environment: ContainerEnvironment
    }

    typealias Opening = @Sendable () async throws -> StoredEnvironment

    private struct Entry {
        /// Nil while it is opened or closed.
        var store: StoredEnvironment?
        /// Ends with the store once it is open, with nil once it is closed.
        var change: Task<StoredEnvironment?, any Error>?
        var lastUse = ContinuousClock.now
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Those closed for want of room with work left, which goes on when there is room.
        var unfinished: Set<Key> = []
        var isClosed = false
    }

    private enum Answer {
        case open(StoredEnvironment)
        case changing(Task<StoredEnvironment?, any Error>)
        /// Everything that may be open is in use.
        case full
    }

    /// The longest wait for another store to be let go of, and the pause between attempts.
    private static let (patience, pause) = (Duration.seconds(10), Duration.milliseconds(5))

    /// The most stores that may be open.
    let most: Int
    private let state = Mutex(State())
    private let onFault: @Sendable (Key, any Error) -> Void

    /// - Parameter onFault: called with what a store said when it was closed.
    init(most: Int, onFault: @escaping @Sendable (Key, any Error) -> Void) {
        self.most = most
        self.onFault = onFault
    }

    /// The store if it is open.
    func current(_ key: Key) -> StoredEnvironment? { state.withLock { Self.use(key, &$0) } }

    /// The same, which does not count as a use.
    func peek(_ key: Key) -> StoredEnvironment? { state.withLock { $0.entries[key]?.store } }

    /// The store, which `open` opens if need be; another makes room for it.
    ///
    /// - Throws: what `open` throws; `TRY_AGAIN_LATER` when all that may be open are in use for long.
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

    /// Of those nobody holds the one that was used longest ago; one that is at work only if all are.
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

    /// Closes what nobody has used for so long, or `isGone` says is no more, but for what is at work.
    func closeUnused(for time: Duration, isGone: @Sendable (Key) -> Bool = { _ in false }) {
        state.withLock { state in
            // Keys alone: a copy of the entries would hold each store.
            let keys = state.entries.filter { key, entry in
                guard let store = entry.store else { return false }
                return entry.lastUse.duration(to: .now) >= time && !store.isWorking || isGone(key)
            }.map(\.key)
            for key in keys where Self.isUnused(key, &state) { _ = close(key, &state) }
        }
    }

    /// Has the connections that nobody has used since the last call free their memory.
    ///
    /// - Returns: whether one does, and whether anybody has written.
    func rest() -> (isFreed: Bool, isWritten: Bool) {
        let rests = state.withLock { $0.entries.values.compactMap { $0.store?.rest() } }
        return (
            rests.contains { ($0.reading + [$0.writing]).contains(.freed) }, rests.contains { $0.writing == .kept }
        )
    }

    /// Takes out those that were closed with work left, as many as there is room for.
    func unfinished() -> [Key] {
        state.withLock { state in
            let room = max(0, most - state.entries.count)
            let keys = Array(state.unfinished.prefix(room))
            state.unfinished.subtract(keys)
            return keys
        }
    }

    // MARK: Replacing

    /// A store on its way to being closed: new references to it are not handed out any more.
    private final class Retired: Sendable {
        let store: Mutex<StoredEnvironment?>

        init(_ store: StoredEnvironment?) { self.store = Mutex(store) }

        var isUnused: Bool { store.withLock { $0 == nil || isKnownUniquelyReferenced(&$0) } }
    }

    private enum Turn {
        case mine(Task<Void, any Error>)
        case others(Task<StoredEnvironment?, any Error>)
    }

    /// Closes a store once nobody holds it, and runs `body` before it can be opened again.
    ///
    /// - Throws: what `body` throws; `TRY_AGAIN_LATER` when somebody holds the store for long, and then it stays open.
    func alone(_ key: Key, _ body: @escaping @Sendable () async throws -> Void) async throws {
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
            // Whoever waits for this looks again afterwards.
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

    /// Closes all of them side by side, in use or not, and opens none from now on.
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

    /// The faults of the stores that are open.
    func faults() -> [Key: StoreFault] {
        open.compactMapValues { $0.file.fault }
    }

    /// Bytes of the log of each that is open.
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

    /// Those that are open now.
    var keys: [Key] { state.withLock { $0.entries.filter { $0.value.store != nil }.map(\.key) } }

    /// The number of stores that are open now.
    var count: Int { state.withLock { $0.entries.count } }
}
