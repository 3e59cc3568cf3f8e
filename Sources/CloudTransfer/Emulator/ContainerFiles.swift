package import CloudEngine
import CloudModel
package import CloudStore
import Foundation
import CloudAssets

/// The deletion of a container's files.
extension DataFolder {
    /// Deletes the databases and temporary files of a container's environments, but not remote assets.
    package func removeDatabases(ofContainer container: Int64) async throws {
        try await engine.call { try removeAll(ofContainer: container) }
    }

    private func removeAll(ofContainer container: Int64) throws {
        let start = "\(container)-"
        for database in try engine.locations.databases(beginningWith: "\(containersFolder)/\(start)") {
            try engine.locations.remove(database)
        }
        try emulator.removeSnapshots(ofContainer: container)
        for name in try FileManager.default.contentsOfDirectory(atPath: containersFolder) where name.hasPrefix(start) {
            try FileManager.default.removeItem(atPath: "\(containersFolder)/\(name)")
        }
    }
}

extension AssetFolders {
    /// Deletes all assets and previews of a container's environments and snapshots.
    package func removeAll(ofContainer container: Int64) async throws {
        for start in ["\(container)-", EmulatorFiles.snapshotAssets(container: container)] {
            for folder in try await data.assets.folders(beginningWith: start) { try await remove(folder) }
        }
    }
}
