package import CloudModel

/// Puts an empty environment into the place of one that nobody has open.
///
/// The empty one is made beside the other, as an import is, and one move is the whole change. It has an incarnation of its
/// own, so sync tokens of before are refused.
struct EnvironmentReset: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment
    let limits: Limits

    /// - Parameter schema: what it has from the beginning beside the built-in types; nil for nothing.
    func run(keeping schema: SchemaDefinition?) async throws {
        let staged = StagedEnvironment(data: data, container: container.id, environment: environment)
        // What an interrupted reset has left is of another moment.
        try await staged.remove()
        let store = try StoredEnvironment(
            path: staged.file, engine: data.engine, container: container.name, environment: environment,
            routingKey: try await accounts.routingKey(container: container.id, environment: environment),
            assets: try staged.assets(), readers: 1, limits: limits, now: data.now)
        do {
            if let schema { _ = try await store.apply(schema, production: nil, dryRun: false, ifTag: nil) }
        } catch {
            try await store.close()
            throw error
        }
        try await store.closeWhole()
        // The devices they are of are those of what is replaced.
        try await accounts.forgetRegistrations(container: container.id, environment: environment)
        try staged.replace()
        try await staged.sweep()
    }
}

extension ContainerStores {
    /// Empties an environment: its records, zones, assets, subscriptions, shares and key-values. Requests that come
    /// meanwhile wait; those that are in it are waited for. Accounts and sessions stay.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when a request holds the environment for long.
    package func reset(
        _ container: Container, _ environment: ContainerEnvironment, keepsSchema: Bool
    ) async throws {
        guard try await isThere(container, environment) else { return }
        let schema =
            keepsSchema ? try await store(container: container, environment: environment).schema() : nil
        // A backup that copies assets finds those of before until it is done.
        let lock = try await holdAssets()
        defer { lock.release() }
        let reset = EnvironmentReset(
            data: folder, accounts: accounts, container: container, environment: environment, limits: limits)
        try await opened.alone(OpenStores.Key(container: container.id, environment: environment)) { [epochMemory] in
            try await reset.run(keeping: schema)
            // What is remembered of the file before is not true of this one.
            _ = epochMemory.take(
                reset.data.recordsFile(container: reset.container.id, environment: reset.environment))
        }
    }
}
