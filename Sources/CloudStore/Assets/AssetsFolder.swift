package import CloudAssets
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
        guard try engine.facts(of: file) != nil else { return nil }
        let connection = try engine.openForReading(file)
        defer { try? connection.close() }
        return try connection.read(name)
    }
}

extension DataFolder {
    /// The name of an environment's asset folder within the asset store.
    ///
    /// - Throws: when the records database, which may name the folder, is unreadable.
    package func assetsFolder(container: Int64, environment: ContainerEnvironment) throws -> String {
        let name = try AssetsFolder.name(in: recordsFile(container: container, environment: environment), engine)
        return assetsFolder(container: container, environment: environment, name: name)
    }

    /// The asset store of an environment.
    ///
    /// - Parameter folder: the name from the records database; nil for the default folder.
    package func assets(container: Int64, environment: ContainerEnvironment, folder: String?) -> any AssetStore {
        assets.store(
            folder: assetsFolder(container: container, environment: environment, name: folder), slots: FileSlots())
    }

    /// - Parameter name: the name from the records database; nil for the default folder.
    package func assetsFolder(container: Int64, environment: ContainerEnvironment, name: String?) -> String {
        name ?? "\(container)-\(environment.rawValue)-assets"
    }

    /// The local folder for previews of an asset folder's pictures.
    func previews(ofAssets folder: String) -> String { "\(path)/containers/\(folder)/previews" }

    /// Deletes unreferenced asset folders, after waiting for a running backup.
    package func remove(_ folders: [String]) async throws {
        if folders.isEmpty { return }
        let lock = try await FileLock.assets(of: self)
        defer { lock.release() }
        for folder in folders { try await remove(assets: folder) }
    }

    /// Deletes an asset folder and its local files.
    package func remove(assets folder: String) async throws {
        let local = "\(path)/containers/\(folder)"
        if FileManager.default.fileExists(atPath: local) { try FileManager.default.removeItem(atPath: local) }
        try await assets.remove(folder: folder)
    }
}
