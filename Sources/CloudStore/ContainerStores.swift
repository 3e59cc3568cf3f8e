package import CloudModel
import Foundation
import Synchronization

/// The record stores of all containers, opened when first asked for and kept open.
package final class ContainerStores: Sendable {
    private struct Key: Hashable {
        let container: Int64
        let environment: ContainerEnvironment
    }

    private let folder: DataFolder
    private let accounts: AccountStore
    private let opened = Mutex<[Key: SQLiteRecordStore]>([:])
    // Opening takes a while; one at a time, and never under the lock that every request takes.
    private let opening = Turns()
    private let schemaTurns = Mutex<[Int64: Turns]>([:])

    private let previews: PreviewMaker?
    private let hub: NotificationHub
    private let limits: Limits
    private let onTrouble: SchemaTrouble

    /// - Parameters:
    ///   - previews: nil when there are to be none.
    ///   - limits: that schemas are held to.
    ///   - hub: told of every token that gets a message.
    ///   - onTrouble: told what keeps a schema change from being finished, each time it is tried.
    package init(
        folder: DataFolder, accounts: AccountStore, previews: PreviewMaker?, hub: NotificationHub = NotificationHub(),
        limits: Limits = Limits(), onTrouble: @escaping SchemaTrouble = { _, _, _ in }
    ) {
        self.onTrouble = onTrouble
        self.limits = limits
        self.hub = hub
        self.folder = folder
        self.accounts = accounts
        self.previews = previews
    }

    /// - Throws: ``NewerDatabase`` when a later version of the server wrote the container's file.
    package func store(
        container: Container, environment: ContainerEnvironment
    ) async throws -> any RecordStore {
        let key = Key(container: container.id, environment: environment)
        if let store = opened.withLock({ $0[key] }) { return store }
        return try await opening.run { [self] in
            if let store = opened.withLock({ $0[key] }) { return store }
            try await closeDeleted()
            let path = folder.recordsFile(container: container.id, environment: environment)
            let assets = try folder.assetsFolder(container: container.id, environment: environment)
            let routingKey = try await accounts.routingKey(container: container.id, environment: environment)
            let store = try SQLiteRecordStore(
                path: path, container: container.name, environment: environment, routingKey: routingKey,
                assets: try FileAssetStore(folder: assets), previews: previews.map { (assets + "/previews", $0) },
                limits: limits, onTrouble: { [onTrouble] in onTrouble(container, environment, $0) },
                onNotify: { [hub] in hub.wake($0) })
            opened.withLock { $0[key] = store }
            return store
        }
    }

    /// The store of an environment that holds anything already; nil for one nobody has used.
    package func existing(
        container: Container, environment: ContainerEnvironment
    ) async throws -> (any RecordStore)? {
        let key = Key(container: container.id, environment: environment)
        if let store = opened.withLock({ $0[key] }) { return store }
        let path = folder.recordsFile(container: container.id, environment: environment)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try await store(container: container, environment: environment)
    }

    /// Runs what looks at one environment's schema and changes another's, while nothing else of the kind does so in the
    /// container.
    package func schemaTurn<T: Sendable>(
        of container: Container, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        let turns = schemaTurns.withLock { turns in
            let known = turns[container.id] ?? Turns()
            turns[container.id] = known
            return known
        }
        return try await turns.run(body)
    }

    /// Whether an environment has ever taken in an asset.
    package func haveAssets(container: Container, environment: ContainerEnvironment) throws -> Bool {
        FileManager.default.fileExists(
            atPath: try folder.assetsFolder(container: container.id, environment: environment))
    }

    /// Lets go of the files of containers that a management command has deleted meanwhile.
    private func closeDeleted() async throws {
        let existing = Set(try await accounts.containers().map(\.id))
        let gone = opened.withLock { stores in
            let gone = stores.filter { !existing.contains($0.key.container) }
            for key in gone.keys { stores[key] = nil }
            return gone.values
        }
        for store in gone { try await store.close() }
    }

    package func close() async throws {
        let stores = opened.withLock { stores in
            defer { stores.removeAll() }
            return stores.values
        }
        for store in stores { try await store.close() }
    }
}

/// What keeps the rest of a schema change in an environment from being done.
package typealias SchemaTrouble = @Sendable (Container, ContainerEnvironment, any Error) -> Void
