package import CloudModel
import Foundation
import GRDB

/// An environment while it is being imported: files of their own beside those it will replace. So a server sees all
/// of an import or nothing of it, and a crash leaves what was there before.
struct StagedEnvironment: Sendable {
    let data: DataFolder
    let container: Int64
    let environment: ContainerEnvironment

    var file: String { data.stagedRecordsFile(container: container, environment: environment) }
    var assets: String { data.stagedAssetsFolder(container: container, environment: environment) }
    private var finalFile: String { data.recordsFile(container: container, environment: environment) }
    private var finalAssets: String { data.assetsFolder(container: container, environment: environment) }

    /// Drops what an import left.
    func remove() throws {
        try EnvironmentSnapshot.remove(file)
        if FileManager.default.fileExists(atPath: assets) { try FileManager.default.removeItem(atPath: assets) }
    }

    /// Puts the environment into its place. Called again after a crash it goes on where it was; nobody may have any of
    /// the files open.
    func replace() throws {
        let files = FileManager.default
        let folder = (finalFile as NSString).deletingLastPathComponent
        // The records' file goes last: while it is here, the assets may be where they were or where they will be.
        if files.fileExists(atPath: assets) {
            if files.fileExists(atPath: finalAssets) { try files.removeItem(atPath: finalAssets) }
            try files.moveItem(atPath: assets, toPath: finalAssets)
        }
        for leftover in [finalFile + "-wal", finalFile + "-shm"] where files.fileExists(atPath: leftover) {
            try files.removeItem(atPath: leftover)
        }
        try FileFault.syncFolder(folder)
        guard rename(file, finalFile) == 0 else {
            throw TransferFault("\(finalFile) cannot be written: \(String(cString: strerror(errno)))")
        }
        try FileFault.syncFolder(folder)
    }
}

extension DataFolder {
    /// The records of an environment that is being imported.
    package func stagedRecordsFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue)-import.sqlite"
    }

    /// Their assets.
    package func stagedAssetsFolder(container: Int64, environment: ContainerEnvironment) -> String {
        "\(path)/containers/\(container)-\(environment.rawValue)-import-assets"
    }

    /// An export on its way from one environment of a container to the other.
    package func cloneFolder(container: Int64) -> String { "\(path)/containers/\(container)-clone" }
}
