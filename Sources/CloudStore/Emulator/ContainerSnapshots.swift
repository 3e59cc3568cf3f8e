package import CloudModel

/// Snapshots of environments, for tests.
extension ContainerStores {
    /// The names of an environment's snapshots, sorted.
    package func snapshots(of container: Container, _ environment: ContainerEnvironment) throws -> [SnapshotName] {
        try keeper(container, environment).names()
    }

    /// Keeps an environment as it is under a name, whose snapshot of before goes.
    ///
    /// - Throws: `BAD_REQUEST` when there are 100 already; `TRY_AGAIN_LATER` when a request holds the environment for
    ///   long.
    package func takeSnapshot(
        _ name: SnapshotName, of container: Container, _ environment: ContainerEnvironment
    ) async throws {
        // Makes it, if nobody has used it.
        _ = try await store(container: container, environment: environment)
        let keeper = keeper(container, environment)
        try await opened.alone(keeper.key) { try await keeper.take(name) }
    }

    /// Puts a snapshot into its environment's place. Requests that come meanwhile wait. Push tokens that were registered
    /// then and are still good hear of changes again; those registered since do not. Accounts and sessions stay as they
    /// are.
    ///
    /// - Parameter keepsTokens: whether sync tokens given out before the snapshot go on to hold. Those given out since are
    ///   refused in either case.
    /// - Throws: `NOT_FOUND` for a name without a snapshot; `TRY_AGAIN_LATER` when a request holds the environment for
    ///   long.
    package func restoreSnapshot(
        _ name: SnapshotName, of container: Container, _ environment: ContainerEnvironment, keepsTokens: Bool
    ) async throws {
        let keeper = keeper(container, environment)
        try await replace(container, environment) { try await keeper.restore(name, keepsTokens: keepsTokens) }
    }

    /// Drops a snapshot.
    ///
    /// - Throws: `NOT_FOUND` for a name without one.
    package func deleteSnapshot(
        _ name: SnapshotName, of container: Container, _ environment: ContainerEnvironment
    ) async throws {
        let keeper = keeper(container, environment)
        try await opened.alone(keeper.key) { try await keeper.delete(name) }
    }

    private func keeper(_ container: Container, _ environment: ContainerEnvironment) -> EnvironmentSnapshots {
        EnvironmentSnapshots(data: folder, accounts: accounts, container: container, environment: environment)
    }
}
