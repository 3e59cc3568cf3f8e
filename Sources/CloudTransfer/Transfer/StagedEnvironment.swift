import CloudAssets
import CloudEngine
import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// An environment being imported, in its own database and asset folder. A server sees a complete import or none, and a
/// crash leaves the current environment intact.
///
/// The database names its asset folder (``AssetsFolder``), so one file move completes the import.
struct StagedEnvironment: Sendable {
    let data: DataFolder
    let container: Int64
    let environment: ContainerEnvironment

    var file: String { data.stagedRecordsFile(container: container, environment: environment) }
    private var finalFile: String { data.recordsFile(container: container, environment: environment) }

    /// The asset store of the staged environment; names a new folder in the database if none is set.
    func assets() throws -> any AssetStore {
        let connection = try data.engine.opener.openForWriting(file)
        try Migrations.run(on: connection, name: data.engine.locations.name(of: file))
        let name = try connection.write { db in
            if let known = try AssetsFolder.name(db) { return known }
            let name = newAssetsFolder()
            try AssetsFolder.set(name, db)
            return name
        }
        try connection.close()
        return data.assetFolders.store(container: container, environment: environment, stored: name)
    }

    /// An unused name for the asset folder.
    func newAssetsFolder() -> String { "\(container)-\(environment.rawValue)-\(RandomText.hex(bytes: 8))-assets" }

    /// Removes the remains of an import.
    func remove() async throws {
        try removeFile()
        try await sweep()
    }

    /// Deletes the staged database; ``sweep()`` deletes its assets.
    func removeFile() throws { try EnvironmentSnapshot.remove(file, by: data.engine) }

    /// Moves the staged database into place; neither database may be open. The move is atomic; ``sweep()`` deletes the
    /// old assets.
    func replace() throws { try data.engine.locations.move(file, to: finalFile) }

    /// Deletes asset folders that neither the current nor the staged database names.
    func sweep() async throws {
        let current = try data.assetFolders.name(container: container, environment: environment)
        let staged = try AssetsFolder.name(in: file, data.engine).map {
            data.assetFolders.name(container: container, environment: environment, stored: $0)
        }
        try await data.assetFolders.remove(
            unused:
                data.assets.folders(beginningWith: "\(container)-\(environment.rawValue)-")
                .filter { $0 != current && $0 != staged })
    }
}

extension DataFolder {
    /// The database of an environment being imported.
    func stagedRecordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue)-import.sqlite"
    }

    /// The folder of the intermediate export during a clone.
    func cloneFolder(container: Int64) -> String { "\(path)/containers/\(container)-clone" }
}
