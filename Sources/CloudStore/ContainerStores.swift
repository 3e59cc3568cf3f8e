package import CloudAccounts
package import CloudAssets
package import CloudEngine
package import CloudModel
import Foundation
import Synchronization

/// The record stores of all containers, opened on demand and closed when idle.
package final class ContainerStores: Sendable {
    private typealias Key = OpenStores.Key

    package let folder: DataFolder
    package let accounts: AccountStore
    package let epochMemory = EpochMemory()
    package let opened: OpenStores
    /// Admits one schema change per container.
    private let schemaChanges = Mutex<[Int64: FairSemaphore]>([:])
    private let chores = ChoreCalendar()
    /// Faults of environments that failed to open, kept until they open.
    private let refused = Mutex<[OpenStores.Key: StoreFault]>([:])
    private let layouts: LayoutWatch

    /// Nil for a server without previews.
    package let previews: PreviewMaker?
    private let hub: NotificationHub
    private let missed: MissedMessages
    /// Commits that pages may show.
    package let pageNews = PageNews()
    /// A log of recent notifications.
    package let notifications = NotificationLog()
    package let limits: Limits
    private let slots: FileSlots
    private let meter: (any StoreMeter)?
    private let factsTurns = FactsTurns()
    private let onTrouble: SchemaTrouble
    private let onFault: StoreFaults

    /// - Parameters:
    ///   - previews: nil for a server without previews.
    ///   - hub: receives every token that gets a message.
    ///   - limits: the limits for schemas and requests.
    ///   - mostOpen: the most open environments.
    ///   - slots: bounds the number of open asset files.
    ///   - meter: receives commits.
    ///   - onTrouble: called after each failed attempt to finish a schema change.
    ///   - onFault: called once per fault of an environment, until the environment opens again.
    package init(
        folder: DataFolder, accounts: AccountStore, previews: PreviewMaker?, hub: NotificationHub = NotificationHub(),
        limits: Limits = Limits(), mostOpen: Int = 64, slots: FileSlots = FileSlots(),
        meter: (any StoreMeter)? = nil,
        onTrouble: @escaping SchemaTrouble = { _, _, _ in }, onFault: @escaping StoreFaults = { _, _, _ in }
    ) {
        self.onTrouble = onTrouble
        self.onFault = onFault
        self.limits = limits
        self.slots = slots
        self.meter = meter
        self.hub = hub
        self.folder = folder
        self.accounts = accounts
        layouts = LayoutWatch(folder.engine)
        self.previews = previews
        opened = OpenStores(most: mostOpen) { key, error in
            onFault(nil, key.environment, StoreFault(.unusable, "could not be closed: \(error)"))
        }
        missed = MissedMessages(opened, hub)
        folder.engine.news?.listen { [weak hub, weak accounts, weak missed = missed] news in
            guard let hub, let accounts, let missed else { return false }
            switch news {
            case .messages(let tokens): hub.wake(tokens)
            case .registrations(let tokens):
                accounts.readAnew()
                hub.wake(tokens)
            case nil:
                accounts.readAnew()
                hub.wakeAll()
            }
            missed.look()
            return true
        }
    }

    /// Wakes listeners of these push tokens, on all servers, to re-read their registrations.
    package func noteRegistrations(of tokens: Set<Int64>) {
        guard !tokens.isEmpty else { return }
        hub.wake(tokens)
        folder.engine.news?.tell(.registrations(tokens))
    }

    /// The store of an environment, opened on demand. The store stays open while referenced, so callers must not keep a
    /// reference while waiting for other work.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when the database is lost, damaged or from a later program version, or when too many
    ///   stores are in use.
    package func store(
        container: Container, environment: ContainerEnvironment
    ) async throws -> EnvironmentStore {
        let key = Key(container: container.id, environment: environment)
        chores.forget(key)
        return EnvironmentStore(stored: try await store(container, key))
    }

    /// The store of an open environment, without waiting; nil if the environment is closed.
    package func storeAtHand(
        container: Container, environment: ContainerEnvironment
    ) throws -> EnvironmentStore? {
        let key = Key(container: container.id, environment: environment)
        guard let open = opened.current(key) else { return nil }
        chores.forget(key)
        try open.file.refuseIfLost()
        return EnvironmentStore(stored: open)
    }

    private func store(_ container: Container, _ key: Key) async throws -> StoredEnvironment {
        let store =
            if let open = opened.current(key) { open } else {
                try await opened.store(key) { [self] in try await open(container, key) }
            }
        try store.file.refuseIfLost()
        return store
    }

    private func open(_ container: Container, _ key: Key) async throws -> StoredEnvironment {
        do {
            let store = try await openFile(container, key)
            refused.withLock { $0[key] = nil }
            return store
        } catch {
            guard let fault = error as? StoreFault ?? StoreFault(error) else { throw error }
            let isNew = refused.withLock { $0.updateValue(fault, forKey: key) != fault }
            if isNew { onFault(container, key.environment, fault) }
            throw ServerError(
                .tryAgainLater, "\(known: key.environment.rawValue) of \(known: container.name) \(known: fault.reason)",
                .server(.disk), retryAfter: 60)
        }
    }

    private func openFile(_ container: Container, _ key: Key) async throws -> StoredEnvironment {
        let environment = key.environment
        let path = folder.recordsFile(container: container.id, environment: environment)
        guard let isMade = try await accounts.environments.isMade(container: container.id, environment: environment)
        else {
            throw ServerError(
                .notFound, "container '\(known: container.name)' does not exist any more", .missing(.container))
        }
        let routingKey = try await accounts.environments.routingKey(container: container.id, environment: environment)
        let store = try await folder.engine.call { [self] in
            if isMade, let loss = try loss(of: path) { throw loss }
            return try open(path, of: container, environment, routingKey, isMade: isMade)
        }
        // Noted before any write is acknowledged.
        if !isMade { try await accounts.environments.noteMade(container: container.id, environment: environment) }
        return store
    }

    /// Blocks the calling thread.
    private func open(
        _ path: String, of container: Container, _ environment: ContainerEnvironment, _ routingKey: String, isMade: Bool
    ) throws -> StoredEnvironment {
        let assets = try folder.assetFolders.name(container: container.id, environment: environment)
        return try StoredEnvironment(
            EnvironmentIdentity(
                path: path, container: container.name, environment: environment, routingKey: routingKey),
            engine: folder.engine,
            files: EnvironmentFiles(
                assets: folder.assets.store(folder: assets, slots: slots),
                previews: previews.map {
                    Previews(folder: folder.assetFolders.previews(of: assets), maker: $0, slots: slots)
                },
                publishedNames: PublishedNames(
                    database: accounts.database, container: container.id, environment: environment)),
            settings: EnvironmentSettings(
                limits: limits, epochMemory: epochMemory, factsTurns: factsTurns, isMade: isMade),
            events: events(of: container, environment), now: folder.now)
    }

    private func events(of container: Container, _ environment: ContainerEnvironment) -> EnvironmentEvents {
        let place = NotificationLog.EnvironmentKey(container: container.id, environment: environment)
        return EnvironmentEvents(
            meter: meter, onTrouble: { [onTrouble] in onTrouble(container, environment, $0) },
            onFault: { [onFault] in onFault(container, environment, $0) },
            onQueue: { [notifications] in notifications.add($0, in: place) },
            onNotify: { [hub, news = folder.engine.news] tokens, alone in
                hub.wake(tokens, handing: alone.mapValues { HandedMessage(notification: $0, place: place) })
                news?.tell(.messages(tokens))
            }, awaited: { [hub] in hub.polled($0) },
            onPages: { [pageNews] in pageNews.tell($0, container, environment) })
    }

    /// The most failed environments to retry per round.
    private static let triedAgain = 8

    private func loss(of path: String) throws -> StoreFault? {
        guard let database = try folder.engine.locations.facts(of: path) else { return .missing }
        return database.isEmpty ? .empty : nil
    }

    /// The store of an environment with data; nil for an unused environment.
    ///
    /// - Throws: as ``store(container:environment:)``.
    package func existing(
        container: Container, environment: ContainerEnvironment
    ) async throws -> EnvironmentStore? {
        guard try await isThere(container, environment) else { return nil }
        return try await store(container: container, environment: environment)
    }

    /// The store of an open environment; the call does not extend its idle time.
    package func ifOpen(container: Container, environment: ContainerEnvironment) -> EnvironmentStore? {
        opened.peek(Key(container: container.id, environment: environment)).map(EnvironmentStore.init)
    }

    package func isThere(_ container: Container, _ environment: ContainerEnvironment) async throws -> Bool {
        if opened.current(Key(container: container.id, environment: environment)) != nil { return true }
        let path = folder.recordsFile(container: container.id, environment: environment)
        if try await folder.engine.call({ [folder] in try folder.engine.locations.facts(of: path) }) != nil {
            return true
        }
        return try await accounts.environments.isMade(container: container.id, environment: environment) == true
    }

    // MARK: What is done now and then

    /// Runs a chore in each environment in turn. Environments that were not used since their last chore stay closed
    /// until the chore is due.
    ///
    /// - Parameters:
    ///   - onFailure: receives the error of one environment; the other environments follow.
    ///   - body: runs the chore and returns its next due time; nil if only a use can make it due.
    package func forEach(
        _ chore: Chore, now: Timestamp,
        onFailure: (Container, ContainerEnvironment, any Error) -> Void,
        _ body: (Container, EnvironmentStore) async throws -> Timestamp?
    ) async throws {
        for (container, environment) in try await accounts.environments.made() {
            let key = Key(container: container.id, environment: environment)
            guard !Task.isCancelled, chores.isDue(chore, key, now: now) else { continue }
            do {
                let count = chores.begin(key)
                let next = try await body(
                    container, EnvironmentStore(stored: try await store(container, key)))
                chores.end(chore, key, next: next ?? .max, since: count)
            } catch {
                onFailure(container, environment, error)
            }
        }
    }

    /// Closes idle stores and stores of deleted containers, resumes unfinished schema changes, and checks for lost
    /// files.
    package func tidy(idleTime: Duration) async throws {
        _ = accounts.fault()
        _ = try await folder.engine.call { [folder] in try folder.claim(alone: false) }
        let containers = Dictionary(try await accounts.containers.all().map { ($0.id, $0) }) { first, _ in first }
        opened.closeUnused(for: idleTime) { containers[$0.container] == nil }
        _ = opened.faults()
        let refused = refused.withLock { $0.keys.prefix(Self.triedAgain) }
        for key in opened.unfinished() + refused {
            guard let container = containers[key.container] else {
                self.refused.withLock { $0[key] = nil }
                continue
            }
            // The error was already reported.
            _ = try? await store(container, key)
        }
    }

    /// Frees the memory of connections that were idle since the last call.
    ///
    /// - Returns: whether a connection was freed, and whether clients wrote.
    package func freeMemory() -> (isFreed: Bool, isWritten: Bool) { opened.freeMemory() }

    // MARK: How they are

    /// Counts over the open stores.
    package struct Figures: Sendable {
        package var open = 0
        package var waitingWrites = 0
        package var logBytes: Int64 = 0
        /// Stores with a running schema change or index build.
        package var working = 0
        /// Working stores whose last attempt failed.
        package var failing = 0
    }

    package var figures: Figures { opened.figures }

    /// The faults of these environments, as far as visible without opening them.
    package func faults(
        of places: [(container: Container, environment: ContainerEnvironment)]
    ) async throws -> [(container: Container, environment: ContainerEnvironment, fault: StoreFault)] {
        try await folder.engine.call { [self] in visibleFaults(of: places) }
    }

    private func visibleFaults(
        of places: [(container: Container, environment: ContainerEnvironment)]
    ) -> [(container: Container, environment: ContainerEnvironment, fault: StoreFault)] {
        let (open, refused) = (opened.faults(), refused.withLock { $0 })
        let logs = opened.logs()
        let layouts = layouts.faults(
            of: Dictionary(
                uniqueKeysWithValues: places.compactMap { container, environment in
                    let key = Key(container: container.id, environment: environment)
                    let path = folder.recordsFile(container: container.id, environment: environment)
                    return open[key] == nil && opened.peek(key) == nil ? (key, path) : nil
                }))
        return places.compactMap { container, environment in
            let key = Key(container: container.id, environment: environment)
            let path = folder.recordsFile(container: container.id, environment: environment)
            // File and layout faults are checked anew each time.
            let lasting = refused[key].flatMap { [.missing, .newer].contains($0.kind) ? nil : $0 }
            let fault = open[key] ?? visibleLoss(of: path) ?? layouts[key] ?? lasting
            return (fault ?? Self.excess(logs[key] ?? 0, limits)).map { (container, environment, $0) }
        }
    }

    private func visibleLoss(of path: String) -> StoreFault? {
        do { return try loss(of: path) } catch { return StoreFault(error) }
    }

    static func excess(_ bytes: Int64, _ limits: Limits) -> StoreFault? {
        guard bytes > limits.logBytes else { return nil }
        return StoreFault(
            .logTooLarge, "has a log of \(bytes) bytes, more than \(limits.logBytes) (limit.logBytes)")
    }

    /// The number of open environments.
    package var openCount: Int { opened.count }

    /// Runs `body` exclusively among the schema changes of a container that span environments.
    package func schemaTurn<T: Sendable>(
        of container: Container, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        let queue = schemaChanges.withLock { queues in
            let known =
                queues[container.id]
                ?? FairSemaphore(places: 1, mostWaiting: Self.mostSchemaChanges) { count in
                    ServerError(
                        .tryAgainLater, "\(count) schema changes of \(known: container.name) wait", .limit(count),
                        retryAfter: 5)
                }
            queues[container.id] = known
            return known
        }
        return try await queue.run(body)
    }

    /// The most waiting schema changes per container.
    private static let mostSchemaChanges = 1000

    /// Returns true if the environment ever stored an asset.
    package func haveAssets(container: Container, environment: ContainerEnvironment) async throws -> Bool {
        let assets = try await folder.engine.call { [folder] in
            try folder.assetFolders.name(container: container.id, environment: environment)
        }
        return try await folder.assets.folders(beginningWith: assets).contains(assets)
    }

    /// Waits for a running backup to finish its assets, and blocks new backups.
    package func holdAssets() async throws -> FileLock { try await FileLock.assets(of: folder) }

    /// Closes all stores; later opens fail.
    package func close() async throws { try await opened.closeAll() }
}

/// Reports an error that blocks the background work of a schema change.
package typealias SchemaTrouble = @Sendable (Container, ContainerEnvironment, any Error) -> Void

/// Reports a fault of an environment; the container is nil if unknown.
package typealias StoreFaults = @Sendable (Container?, ContainerEnvironment, StoreFault) -> Void
