package import CloudAssets
package import CloudModel
import Foundation
import Synchronization

/// The record stores of all containers, opened when they are asked for and closed when nobody uses them.
package final class ContainerStores: Sendable {
    private typealias Key = OpenStores.Key

    let folder: DataFolder
    let accounts: AccountStore
    let epochMemory = EpochMemory()
    let opened: OpenStores
    /// Lets one through of each container.
    private let schemaChanges = Mutex<[Int64: FairSemaphore]>([:])
    private let chores = ChoreCalendar()
    /// Reasons why environments could not be opened, each kept until the environment can be opened.
    private let refused = Mutex<[OpenStores.Key: StoreFault]>([:])
    private let layouts: LayoutWatch

    private let previews: PreviewMaker?
    private let hub: NotificationHub
    private let missed: MissedMessages
    /// The last notifications and their fates.
    package let notifications = NotificationLog()
    let limits: Limits
    private let slots: FileSlots
    private let meter: (any StoreMeter)?
    private let onTrouble: SchemaTrouble
    private let onFault: StoreFaults

    /// - Parameters:
    ///   - previews: nil when there are to be none.
    ///   - hub: told of every token that gets a message.
    ///   - limits: that schemas are held to.
    ///   - mostOpen: environments open at a time.
    ///   - slots: for the files of assets that are open at a time.
    ///   - meter: hears of commits.
    ///   - onTrouble: told what keeps a schema change from being finished, each time it is tried.
    ///   - onFault: told what keeps an environment from being used, once until it can be again.
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

    /// Has whoever listens to one of these push tokens, at any server, look at where it is registered now.
    package func noteRegistrations(of tokens: Set<Int64>) {
        guard !tokens.isEmpty else { return }
        hub.wake(tokens)
        folder.engine.news?.tell(.registrations(tokens))
    }

    /// The store of an environment, opened if need be. It stays open as long as somebody holds it, so nobody is to hold
    /// it while waiting for something else.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when its file was lost or is damaged, or a later version of the program wrote it, and
    ///   when as many as may be open are in use.
    package func store(
        container: Container, environment: ContainerEnvironment
    ) async throws -> any EnvironmentStore {
        let key = Key(container: container.id, environment: environment)
        chores.forget(key)
        return try await store(container, key)
    }

    /// The same without waiting; nil for an environment that is not open.
    package func storeAtHand(
        container: Container, environment: ContainerEnvironment
    ) throws -> (any EnvironmentStore)? {
        let key = Key(container: container.id, environment: environment)
        guard let open = opened.current(key) else { return nil }
        chores.forget(key)
        try open.file.refuseIfLost()
        return open
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
        guard let isMade = try await accounts.isMade(container: container.id, environment: environment) else {
            throw ServerError(
                .notFound, "container '\(known: container.name)' does not exist any more", .missing(.container))
        }
        let routingKey = try await accounts.routingKey(container: container.id, environment: environment)
        let store = try await folder.engine.call { [self] in
            if isMade, let loss = try loss(of: path) { throw loss }
            return try open(path, of: container, environment, routingKey, isMade: isMade)
        }
        // Before anything in it is acknowledged.
        if !isMade { try await accounts.noteMade(container: container.id, environment: environment) }
        return store
    }

    /// Waits on the caller's thread.
    private func open(
        _ path: String, of container: Container, _ environment: ContainerEnvironment, _ routingKey: String, isMade: Bool
    ) throws -> StoredEnvironment {
        let assets = try folder.assetsFolder(container: container.id, environment: environment)
        return try StoredEnvironment(
            path: path, engine: folder.engine, container: container.name, environment: environment,
            routingKey: routingKey, assets: folder.assets.store(folder: assets, slots: slots),
            previews: previews.map { Previews(folder: folder.previews(ofAssets: assets), maker: $0, slots: slots) },
            publishedNames: PublishedNames(accounts: accounts, container: container.id, environment: environment),
            limits: limits, epochMemory: epochMemory, meter: meter,
            onTrouble: { [onTrouble] in onTrouble(container, environment, $0) },
            isMade: isMade, onFault: { [onFault] in onFault(container, environment, $0) },
            onQueue: { [notifications] in
                notifications.add($0, in: NotificationLog.Place(container: container.id, environment: environment))
            },
            onNotify: { [hub, news = folder.engine.news] tokens, alone in
                let place = NotificationLog.Place(container: container.id, environment: environment)
                hub.wake(tokens, handing: alone.mapValues { HandedMessage(notification: $0, place: place) })
                news?.tell(.messages(tokens))
            }, awaited: { [hub] in hub.polled($0) }, now: folder.now)
    }

    /// The number of environments that could not be opened and are tried again at a time.
    private static let triedAgain = 8

    private func loss(of path: String) throws -> StoreFault? {
        guard let database = try folder.engine.facts(of: path) else { return .missing }
        return database.isEmpty ? .empty : nil
    }

    /// The store of an environment that holds anything already; nil for one nobody has used.
    ///
    /// - Throws: as ``store(container:environment:)``.
    package func existing(
        container: Container, environment: ContainerEnvironment
    ) async throws -> (any EnvironmentStore)? {
        guard try await isThere(container, environment) else { return nil }
        return try await store(container: container, environment: environment)
    }

    /// The store of an environment that is open; asking does not keep it open longer.
    package func ifOpen(container: Container, environment: ContainerEnvironment) -> (any EnvironmentStore)? {
        opened.peek(Key(container: container.id, environment: environment))
    }

    func isThere(_ container: Container, _ environment: ContainerEnvironment) async throws -> Bool {
        if opened.current(Key(container: container.id, environment: environment)) != nil { return true }
        let path = folder.recordsFile(container: container.id, environment: environment)
        if try await folder.engine.call({ [folder] in try folder.engine.facts(of: path) }) != nil { return true }
        return try await accounts.isMade(container: container.id, environment: environment) == true
    }

    // MARK: What is done now and then

    /// Does a chore in every environment that may need it, one after the other. Those that nobody has used since the
    /// chore was last done there, and that need it later only, are not opened for it.
    ///
    /// - Parameters:
    ///   - onFailure: told what went wrong in an environment; the others are gone on with.
    ///   - body: does it, and says when it needs to be done next; nil for when it has been used.
    package func forEach(
        _ chore: Chore, now: Timestamp,
        onFailure: (Container, ContainerEnvironment, any Error) -> Void,
        _ body: (Container, any EnvironmentStore) async throws -> Timestamp?
    ) async throws {
        for (container, environment) in try await accounts.madeEnvironments() {
            let key = Key(container: container.id, environment: environment)
            guard !Task.isCancelled, chores.isDue(chore, key, now: now) else { continue }
            do {
                let count = chores.begin(key)
                let next = try await body(container, try await store(container, key))
                chores.end(chore, key, next: next ?? .max, since: count)
            } catch {
                onFailure(container, environment, error)
            }
        }
    }

    /// Closes what nobody has used for a while, and what belongs to containers that were deleted meanwhile; goes on with
    /// schema changes that were left for want of room; looks for files that have gone.
    package func tidy(idleTime: Duration) async throws {
        _ = accounts.fault()
        _ = try await folder.engine.call { [folder] in try folder.claim(alone: false) }
        let containers = Dictionary(try await accounts.containers().map { ($0.id, $0) }) { first, _ in first }
        opened.closeUnused(for: idleTime) { containers[$0.container] == nil }
        _ = opened.faults()
        let refused = refused.withLock { $0.keys.prefix(Self.triedAgain) }
        for key in opened.unfinished() + refused {
            guard let container = containers[key.container] else {
                self.refused.withLock { $0[key] = nil }
                continue
            }
            // What keeps it from being opened has been told.
            _ = try? await store(container, key)
        }
    }

    /// Has the connections that nobody has used since the last call free their memory.
    ///
    /// - Returns: whether one does, and whether anybody has written.
    package func rest() -> (isFreed: Bool, isWritten: Bool) { opened.rest() }

    // MARK: How they are

    /// Numbers of the stores that are open.
    package struct Figures: Sendable {
        package var open = 0
        package var waitingWrites = 0
        package var logBytes: Int64 = 0
        /// Stores with a schema change or index build that goes on.
        package var working = 0
        /// Those of them that have failed and are tried again.
        package var failing = 0
    }

    package var figures: Figures { opened.figures }

    /// The fault of each environment of these, by what can be seen without opening it.
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
            // What is wrong with the file or its layout is seen anew each time.
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

    /// The number of environments that are open.
    package var openCount: Int { opened.count }

    /// Runs what looks at one environment's schema and changes another's, while nothing else of the kind does so in the
    /// container.
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

    /// The most schema changes of a container that may wait.
    private static let mostSchemaChanges = 1000

    /// Returns true if the environment has ever stored an asset.
    package func haveAssets(container: Container, environment: ContainerEnvironment) async throws -> Bool {
        let assets = try await folder.engine.call { [folder] in
            try folder.assetsFolder(container: container.id, environment: environment)
        }
        return try await folder.assets.folders(beginningWith: assets).contains(assets)
    }

    /// Waits until no backup copies assets, and keeps one from beginning to.
    package func holdAssets() async throws -> FileLock { try await FileLock.assets(of: folder) }

    /// Closes all of them; none is opened from now on.
    package func close() async throws { try await opened.closeAll() }
}

/// Reports an error that keeps the rest of a schema change in an environment from being done.
package typealias SchemaTrouble = @Sendable (Container, ContainerEnvironment, any Error) -> Void

/// Reports a fault that keeps an environment from being used; the container is nil where it is not known any more.
package typealias StoreFaults = @Sendable (Container?, ContainerEnvironment, StoreFault) -> Void
