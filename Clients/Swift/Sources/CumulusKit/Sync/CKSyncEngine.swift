import Foundation

/// Synchronizes a database with an app's own store. The app names changed records; the engine requests them for sending,
/// fetches remote changes, and tracks its progress in a state that the app stores.
public final class CKSyncEngine: Sendable {
    public struct Configuration: Sendable {
        public var database: CKDatabase
        /// The state from the latest ``Event/stateUpdate(_:)``; nil for the first run or a lost state.
        public var stateSerialization: State.Serialization?
        public var delegate: any CKSyncEngineDelegate
        /// Whether the engine fetches and sends automatically.
        public var automaticallySync = true
        /// Records per fetched page; nil for the server's default.
        public var pageSize: Int?

        public init(
            database: CKDatabase, stateSerialization: State.Serialization?, delegate: any CKSyncEngineDelegate
        ) {
            self.database = database
            self.stateSerialization = stateSerialization
            self.delegate = delegate
        }
    }

    public let database: CKDatabase
    public let state: State
    let pageSize: Int?
    let turns = Turns()
    let schedule = Schedule()
    // Weak, since an app's store often owns both objects. Set once, before the engine is shared.
    private nonisolated(unsafe) weak var weakDelegate: (any CKSyncEngineDelegate)?

    /// True while an event is delivered: a handler that awaited the engine would deadlock.
    @TaskLocal static var isDelivering = false

    public init(_ configuration: Configuration) {
        precondition(configuration.database.databaseScope != .public, "The public database has no changes to follow.")
        database = configuration.database
        state = State(configuration.stateSerialization, of: configuration.database)
        pageSize = configuration.pageSize
        weakDelegate = configuration.delegate
        guard configuration.automaticallySync else { return }
        state.onAdd { [schedule] in schedule.changeAdded() }
        schedule.run { [weak self] in try await self?.sync(.scheduled) }
    }

    deinit { schedule.stop() }

    var delegate: (any CKSyncEngineDelegate)? { weakDelegate }

    /// Fetches changes immediately.
    public func fetchChanges() async throws { try await turn { try await self.fetch(.manual) } }

    /// Sends pending changes; the first send after a start fetches first.
    public func sendChanges() async throws { try await turn { try await self.send(.manual) } }

    /// Cancels running work and the schedule; loses no data.
    public func cancelOperations() { schedule.stop() }

    /// Wakes the engine. Call after a notification, on reconnecting, or on returning to the foreground.
    public func changesMayBeWaiting() { schedule.wake() }

    private func sync(_ reason: SyncReason) async throws {
        try await turn {
            try await self.fetch(reason)
            try await self.send(reason)
        }
    }

    private func turn(_ work: @Sendable () async throws -> Void) async throws {
        guard !Self.isDelivering else {
            throw CKError(
                .invalidArguments, "An event's handler cannot fetch or send. Add changes; they are sent later.")
        }
        await turns.enter()
        do {
            try await work()
            turns.leave()
        } catch {
            turns.leave()
            throw error
        }
    }

    func deliver(_ event: Event) async {
        guard let delegate else { return }
        await Self.$isDelivering.withValue(true) { await delegate.handleEvent(event, syncEngine: self) }
    }

    func deliverState() async {
        let told = await tellState()
        state.content.withLock { $0.forget(changesBefore: told) }
    }

    /// Delivers the state without retaining a copy, and returns its sequence number.
    private func tellState() async -> Int {
        let serialization = state.serialization
        await deliver(.stateUpdate(serialization))
        return serialization.sequence
    }
}

/// Receives the engine's events, one at a time, and provides batches to send.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async

    /// Returns the next records to send; nil if no records are ready.
    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch?
}

/// A fair asynchronous lock: waiters proceed in arrival order.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
