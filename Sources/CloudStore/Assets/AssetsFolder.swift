package import CloudAssets
package import CloudEngine
package import CloudModel
import Foundation
package import CloudSQL

/// The asset folder of a records database.
///
/// An imported database names its own folder, so one rename switches an environment's records and assets together.
/// Other databases use the default folder named after container and environment.
package enum AssetsFolder {
    private static let table = "assets_folder"

    /// The folder name stored in a database; nil for the default folder.
    ///
    /// - Throws: ``SQLError`` for a name that leaves the parent folder; a backup may come from a stranger.
    package static func name(_ db: SQLConnection) throws -> String? {
        guard try db.hasTable(table), let name = try db.first("SELECT name FROM \(table)", read: { $0.text(0) })
        else { return nil }
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw SQLError(.damaged, "its folder of assets has the name '\(name)', which leads elsewhere")
        }
        return name
    }

    /// - Parameter name: a folder name, without a path.
    package static func set(_ name: String, _ db: SQLConnection) throws {
        try db.script("CREATE TABLE \(table) (name TEXT NOT NULL)")
        try db.run("INSERT INTO \(table) VALUES (?)", .text(name))
    }

    /// Sets the folder name, replacing an earlier name.
    package static func rename(_ name: String, _ db: SQLConnection) throws {
        guard try db.hasTable(table) else { return try set(name, db) }
        try db.run("UPDATE \(table) SET name = ?", .text(name))
    }

    /// The folder name stored in a database file; nil for the default folder or a missing file.
    package static func name(in file: String, _ engine: any StoreEngine) throws -> String? {
        guard try engine.locations.facts(of: file) != nil else { return nil }
        let connection = try engine.opener.openForReading(file)
        defer { try? connection.close() }
        return try connection.read(name)
    }
}

extension DataFolder {
    package var assetFolders: AssetFolders { AssetFolders(data: self) }
}

/// The folders of environments' assets within a data folder's asset store.
package struct AssetFolders: Sendable {
    package let data: DataFolder

    /// The folder of an environment.
    ///
    /// - Throws: when the records database, which may name the folder, is unreadable.
    package func name(container: Int64, environment: ContainerEnvironment) throws -> String {
        let path = data.recordsFile(container: container, environment: environment)
        return name(
            container: container, environment: environment, stored: try AssetsFolder.name(in: path, data.engine))
    }

    /// - Parameter name: the name stored in the records database; nil for the default folder.
    package func name(container: Int64, environment: ContainerEnvironment, stored name: String?) -> String {
        name ?? "\(container)-\(environment.rawValue)-assets"
    }

    /// The asset store of an environment.
    ///
    /// - Parameter name: the name stored in the records database; nil for the default folder.
    package func store(container: Int64, environment: ContainerEnvironment, stored name: String?) -> any AssetStore {
        data.assets.store(
            folder: self.name(container: container, environment: environment, stored: name), slots: FileSlots())
    }

    /// The local folder for previews of an asset folder's pictures.
    func previews(of folder: String) -> String { local(folder) + "/previews" }

    private func local(_ folder: String) -> String { "\(data.containersFolder)/\(folder)" }

    /// Deletes unreferenced asset folders, after waiting for a running backup.
    package func remove(unused folders: [String]) async throws {
        if folders.isEmpty { return }
        let lock = try await FileLock.assets(of: data)
        defer { lock.release() }
        for folder in folders { try await remove(folder) }
    }

    /// Deletes an asset folder and its local files.
    package func remove(_ folder: String) async throws {
        if FileManager.default.fileExists(atPath: local(folder)) {
            try FileManager.default.removeItem(atPath: local(folder))
        }
        try await data.assets.remove(folder: folder)
    }
}
