import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudStore

/// Takes and restores named snapshots of a closed environment.
///
/// A snapshot's database names its own asset folder, so one file move completes a snapshot or a restore.
struct EnvironmentSnapshots: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment

    var key: OpenStores.Key { OpenStores.Key(container: container.id, environment: environment) }

    /// The most snapshots of an environment.
    static let most = 100

    private func file(_ name: SnapshotName) -> String {
        data.emulator.snapshotFile(name, container: container.id, environment: environment)
    }

    /// The sorted snapshot names.
    func names() throws -> [SnapshotName] {
        try data.emulator.snapshots(container: container.id, environment: environment)
    }

    /// - Throws: `BAD_REQUEST` when the limit is reached.
    func take(_ name: SnapshotName) async throws {
        let names = try names()
        guard names.contains(name) || names.count < Self.most else {
            throw ServerError(
                .badRequest, "the container has \(names.count) snapshots, the most there may be; delete one",
                .limit(Self.most))
        }
        try data.emulator.makeFolder()
        let unfinished = data.emulator.unfinishedFile(container: container.id, environment: environment)
        try data.engine.locations.remove(unfinished)
        try data.engine.copier.duplicate(
            data.recordsFile(container: container.id, environment: environment), to: unfinished)
        try await moveAssets(of: unfinished, to: "\(assetsStart)\(RandomText.hex(bytes: 8))-assets") { _ in }
        try data.engine.locations.move(unfinished, to: file(name))
        try await sweep()
    }

    /// - Parameter keepsTokens: whether sync tokens from before the snapshot stay valid.
    /// - Throws: `NOT_FOUND` for an unknown name.
    func restore(_ name: SnapshotName, keepsTokens: Bool) async throws {
        try require(name)
        let staged = StagedEnvironment(data: data, container: container.id, environment: environment)
        try staged.removeFile()
        try data.engine.copier.duplicate(file(name), to: staged.file)
        let devices = try await moveAssets(of: staged.file, to: staged.newAssetsFolder()) { db in
            if !keepsTokens { try StoreIdentity.renew(db) }
            return try DeviceTable.registered(db)
        }
        let ended = try await accounts.pushTokens.restoreRegistrations(
            of: devices, container: container.id, environment: environment)
        if !ended.isEmpty {
            try withDatabase(staged.file) { db in
                try CrowdMessages.settleAll(db)
                for token in ended { try DeviceTable.delete(token: token, db) }
            }
        }
        try await accounts.pageRules.distrustPublishedNames(container: container.id)
        try staged.replace()
        try await staged.sweep()
    }

    /// - Throws: `NOT_FOUND` for an unknown name.
    func delete(_ name: SnapshotName) async throws {
        try require(name)
        try data.engine.locations.remove(file(name))
        try await sweep()
    }

    private func require(_ name: SnapshotName) throws {
        guard try data.engine.locations.facts(of: file(name)) == nil else { return }
        throw ServerError(.notFound, "snapshot '\(name.text)' does not exist", .missing(.snapshot))
    }

    // MARK: Assets

    private var assetsStart: String {
        "\(EmulatorFiles.snapshotAssets(container: container.id))\(environment.rawValue)-"
    }

    /// Copies the assets of a copied database into a new folder, and names that folder in the copy.
    private func moveAssets<T>(
        of path: String, to folder: String, _ change: (SQLConnection) throws -> T
    ) async throws -> T {
        let (original, files, result) = try withDatabase(path) { db in
            let original = data.assetFolders.name(
                container: container.id, environment: environment, stored: try AssetsFolder.name(db))
            try AssetsFolder.rename(folder, db)
            return (original, try AssetTable.files(db), try change(db))
        }
        try await data.assets.copy(files, from: original, to: folder)
        return result
    }

    private func withDatabase<T>(_ path: String, _ body: (SQLConnection) throws -> T) throws -> T {
        let connection = try data.engine.opener.openForWriting(path)
        defer { try? connection.close() }
        try Migrations.run(on: connection, name: data.engine.locations.name(of: path))
        let result = try connection.write(body)
        try connection.checkpoint()
        return result
    }

    /// Deletes the asset folders of deleted snapshots.
    private func sweep() async throws {
        let known = try names().map { try AssetsFolder.name(in: file($0), data.engine) }
        try await data.assetFolders.remove(
            unused: data.assets.folders(beginningWith: assetsStart).filter { !known.contains($0) })
    }
}
