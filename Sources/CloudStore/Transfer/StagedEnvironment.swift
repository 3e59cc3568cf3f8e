import CloudAssets
import CloudModel
import Foundation
import CloudSQL

/// An environment while it is being imported: a file and a folder of its own beside those it will replace. So a server
/// sees all of an import or nothing of it, and a crash leaves what was there before.
///
/// The file names the folder from the beginning (``AssetsFolder``). One move of the file is the whole change.
struct StagedEnvironment: Sendable {
    let data: DataFolder
    let container: Int64
    let environment: ContainerEnvironment

    var file: String { data.stagedRecordsFile(container: container, environment: environment) }
    private var finalFile: String { data.recordsFile(container: container, environment: environment) }

    /// The store for the assets, whose folder the file is made to name when it does not yet.
    func assets() throws -> any AssetStore {
        let connection = try data.engine.openForWriting(file)
        try Migrations.run(on: connection, name: data.engine.name(of: file))
        let name = try connection.write { db in
            if let known = try AssetsFolder.name(db) { return known }
            let name = newAssetsFolder()
            try AssetsFolder.set(name, db)
            return name
        }
        try connection.close()
        return data.assets(container: container, environment: environment, folder: name)
    }

    /// A name for the folder of the assets that nothing has yet.
    func newAssetsFolder() -> String { "\(container)-\(environment.rawValue)-\(RandomText.hex(bytes: 8))-assets" }

    /// Drops what an import left.
    func remove() async throws {
        try removeFile()
        try await sweep()
    }

    /// Drops the file that an import left; its assets stay for ``sweep()``.
    func removeFile() throws { try EnvironmentSnapshot.remove(file, by: data.engine) }

    /// Puts the environment into its place; nobody may have either database open. What it replaces is whole until the
    /// moment it is gone. Its assets stay for ``sweep()``.
    func replace() throws { try data.engine.move(file, to: finalFile) }

    /// Deletes folders of assets that neither the environment nor what is being imported into it names.
    func sweep() async throws {
        let current = try data.assetsFolder(container: container, environment: environment)
        let staged = try AssetsFolder.name(in: file, data.engine).map {
            data.assetsFolder(container: container, environment: environment, name: $0)
        }
        try await data.remove(
            data.assets.folders(beginningWith: "\(container)-\(environment.rawValue)-")
                .filter { $0 != current && $0 != staged })
    }
}

extension DataFolder {
    /// The records of an environment that is being imported.
    func stagedRecordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue)-import.sqlite"
    }

    /// An export on its way from one environment of a container to the other.
    func cloneFolder(container: Int64) -> String { "\(path)/containers/\(container)-clone" }
}
