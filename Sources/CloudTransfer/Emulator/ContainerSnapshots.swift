package import CloudAccounts
package import CloudModel
package import CloudStore

/// Snapshots of environments, for tests.
extension ContainerStores {
    /// The sorted names of an environment's snapshots.
    package func snapshots(of container: Container, _ environment: ContainerEnvironment) throws -> [SnapshotName] {
        try keeper(container, environment).names()
    }

    /// Saves a snapshot of an environment, replacing an earlier snapshot of that name.
    ///
    /// - Throws: `BAD_REQUEST` when the environment has 100 snapshots; `TRY_AGAIN_LATER` when a request holds the
    ///   environment for long.
    package func takeSnapshot(
        _ name: SnapshotName, of container: Container, _ environment: ContainerEnvironment
    ) async throws {
        // Creates an environment that was never used.
        _ = try await store(container: container, environment: environment)
        let keeper = keeper(container, environment)
        try await opened.alone(keeper.key) { try await keeper.take(name) }
    }

    /// Replaces an environment by a snapshot; new requests wait. Push tokens registered in the snapshot and still valid
    /// get notifications again; later registrations end. Accounts and sessions stay.
    ///
    /// - Parameter keepsTokens: whether sync tokens from before the snapshot stay valid. Later tokens are refused in
    ///   either case.
    /// - Throws: `NOT_FOUND` for an unknown name; `TRY_AGAIN_LATER` when a request holds the environment for long.
    package func restoreSnapshot(
        _ name: SnapshotName, of container: Container, _ environment: ContainerEnvironment, keepsTokens: Bool
    ) async throws {
        let keeper = keeper(container, environment)
        try await replace(container, environment) { try await keeper.restore(name, keepsTokens: keepsTokens) }
    }

    /// Deletes a snapshot.
    ///
    /// - Throws: `NOT_FOUND` for an unknown name.
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
