package import CloudAccounts
import CloudAssets
import CloudEngine
package import CloudModel
package import CloudStore

/// Replaces a closed environment by an empty one.
///
/// The empty environment is copied from a template and moved into place in one step. A new incarnation makes earlier
/// sync tokens invalid.
struct EnvironmentReset: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment
    let limits: Limits

    /// - Parameter schema: the schema to install beside the built-in types; nil for none.
    func run(keeping schema: SchemaDefinition?) async throws {
        let staged = StagedEnvironment(data: data, container: container.id, environment: environment)
        // The remains of an interrupted reset are outdated.
        try staged.removeFile()
        try await layOut()
        try data.engine.copier.duplicate(data.emulator.emptyRecordsFile, to: staged.file)
        let connection = try data.engine.opener.openForWriting(staged.file)
        try Migrations.run(on: connection, name: data.engine.locations.name(of: staged.file))
        try connection.write { db in
            try StoreIdentity.renew(db)
            try AssetsFolder.set(staged.newAssetsFolder(), db)
        }
        try connection.close()
        if let schema {
            let store = try await open(staged.file, staged.assets())
            let schemas = EnvironmentStore(stored: store).schema
            do { _ = try await schemas.apply(schema, production: nil, dryRun: false, ifTag: nil) { _ in } } catch {
                try await store.close()
                throw error
            }
            try await store.closeWhole()
        }
        // Push registrations belong to devices of the replaced environment.
        try await accounts.pushTokens.forgetRegistrations(container: container.id, environment: environment)
        try staged.replace()
        try await staged.sweep()
    }

    /// Creates the empty template once per data folder, because creating its tables is the slowest part of a reset.
    private func layOut() async throws {
        guard try data.engine.locations.facts(of: data.emulator.emptyRecordsFile) == nil else { return }
        try data.emulator.makeFolder()
        let unfinished = data.emulator.unfinishedFile(container: container.id, environment: environment)
        try data.engine.locations.remove(unfinished)
        let assets = data.assetFolders.store(container: container.id, environment: environment, stored: nil)
        try await open(unfinished, assets).closeWhole()
        try data.engine.locations.move(unfinished, to: data.emulator.emptyRecordsFile)
    }

    private func open(_ path: String, _ assets: any AssetStore) async throws -> StoredEnvironment {
        try StoredEnvironment(
            EnvironmentIdentity(
                path: path, container: container.name, environment: environment,
                routingKey: try await accounts.environments.routingKey(
                    container: container.id, environment: environment)),
            engine: data.engine, files: EnvironmentFiles(assets: assets),
            settings: EnvironmentSettings(readers: 1, limits: limits), now: data.now)
    }
}

extension ContainerStores {
    /// Empties an environment: records, zones, assets, subscriptions, shares and key-values. Running requests finish
    /// first; new requests wait. Accounts and sessions stay.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when a request holds the environment for long.
    package func reset(
        _ container: Container, _ environment: ContainerEnvironment, keepsSchema: Bool
    ) async throws {
        guard try await isThere(container, environment) else { return }
        let schema =
            keepsSchema ? try await store(container: container, environment: environment).schema.current() : nil
        let reset = EnvironmentReset(
            data: folder, accounts: accounts, container: container, environment: environment, limits: limits)
        try await replace(container, environment) { try await reset.run(keeping: schema) }
    }

    /// Runs `body`, which replaces an environment's database, while the environment is closed.
    func replace(
        _ container: Container, _ environment: ContainerEnvironment, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await opened.alone(OpenStores.Key(container: container.id, environment: environment)) {
            [epochMemory, folder] in
            try await body()
            // The epoch memory describes the replaced database.
            _ = epochMemory.take(folder.recordsFile(container: container.id, environment: environment))
        }
    }
}
