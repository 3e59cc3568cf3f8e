import CloudAssets
package import CloudModel
import Foundation
import CloudSQL

/// The folder of the assets of a file of records.
///
/// A file that was imported names a folder of its own, so that one rename gives an environment other records and other
/// assets at once. Every other file's assets are in the folder named like it.
enum AssetsFolder {
    private static let table = "assets_folder"

    /// The folder that a file names; nil for the one named like the file.
    ///
    /// - Throws: for what is no name of a folder beside others: the file may be of a backup that somebody else made.
    static func name(_ db: SQLConnection) throws -> String? {
        guard try db.hasTable(table), let name = try db.first("SELECT name FROM \(table)", read: { $0.text(0) })
        else { return nil }
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 }) else {
            throw SQLError(.damaged, "its folder of assets has the name '\(name)', which leads elsewhere")
        }
        return name
    }

    /// - Parameter name: of a folder beside the file.
    static func set(_ name: String, _ db: SQLConnection) throws {
        try db.script("CREATE TABLE \(table) (name TEXT NOT NULL)")
        try db.run("INSERT INTO \(table) VALUES (?)", .text(name))
    }

    /// Has a file name another folder.
    static func rename(_ name: String, _ db: SQLConnection) throws {
        guard try db.hasTable(table) else { return try set(name, db) }
        try db.run("UPDATE \(table) SET name = ?", .text(name))
    }

    /// The folder that a file names; nil when there is no such file either.
    static func name(in file: String, _ engine: any StoreEngine) throws -> String? {
        guard try engine.facts(of: file) != nil else { return nil }
        let connection = try engine.openForReading(file)
        defer { try? connection.close() }
        return try connection.read(name)
    }
}

extension DataFolder {
    /// The folder of the assets of an environment's records, where assets are.
    ///
    /// - Throws: when the records' file, which may name it, cannot be read.
    package func assetsFolder(container: Int64, environment: ContainerEnvironment) throws -> String {
        let name = try AssetsFolder.name(in: recordsFile(container: container, environment: environment), engine)
        return assetsFolder(container: container, environment: environment, name: name)
    }

    /// The store of the assets of an environment's records.
    ///
    /// - Parameter folder: what the records' file says, if it says anything.
    func assets(container: Int64, environment: ContainerEnvironment, folder: String?) -> any AssetStore {
        assets.store(
            folder: assetsFolder(container: container, environment: environment, name: folder), slots: FileSlots())
    }

    /// - Parameter name: what the records' file says, if it says anything.
    func assetsFolder(container: Int64, environment: ContainerEnvironment, name: String?) -> String {
        name ?? "\(container)-\(environment.rawValue)-assets"
    }

    /// The folder of the previews of an assets folder's pictures, on this machine.
    func previews(ofAssets folder: String) -> String { "\(path)/containers/\(folder)/previews" }

    /// Drops all assets of a container's environments and their previews.
    package func removeAssets(ofContainer container: Int64) async throws {
        for start in ["\(container)-", Self.snapshotAssets(container: container)] {
            for folder in try await assets.folders(beginningWith: start) { try await remove(assets: folder) }
        }
    }

    /// Drops folders of assets that no database names any more, once no backup copies what is in them.
    func remove(_ folders: [String]) async throws {
        if folders.isEmpty { return }
        let lock = try await FileLock.assets(of: self)
        defer { lock.release() }
        for folder in folders { try await remove(assets: folder) }
    }

    /// Drops a folder of assets, and what is on this machine of it.
    func remove(assets folder: String) async throws {
        let local = "\(path)/containers/\(folder)"
        if FileManager.default.fileExists(atPath: local) { try FileManager.default.removeItem(atPath: local) }
        try await assets.remove(folder: folder)
    }
}
