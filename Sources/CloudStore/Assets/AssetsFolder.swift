package import CloudModel
import Foundation
import CloudSQL

/// Which folder the assets of a file of records are in.
///
/// A file that was imported names a folder of its own, so that one rename gives an environment other records and other
/// assets at once. Every other file's assets are in the folder named like it.
enum AssetsFolder {
    private static let table = "assets_folder"

    /// The folder that a file names; nil for the one named like the file.
    static func name(_ db: SQLConnection) throws -> String? {
        guard try db.hasTable(table) else { return nil }
        return try db.first("SELECT name FROM \(table)") { $0.text(0) }
    }

    /// - Parameter name: of a folder beside the file.
    static func set(_ name: String, _ db: SQLConnection) throws {
        try db.script("CREATE TABLE \(table) (name TEXT NOT NULL)")
        try db.run("INSERT INTO \(table) VALUES (?)", .text(name))
    }

    /// The folder that a file names; nil when there is no such file either.
    static func name(in file: String, _ engine: any StoreEngine) throws -> String? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let connection = try engine.openForReading(file)
        defer { try? connection.close() }
        return try connection.read(name)
    }
}

extension DataFolder {
    /// The bytes of the assets of an environment's records, and the previews made of them.
    ///
    /// - Throws: when the records' file, which may name the folder, cannot be read.
    package func assetsFolder(container: Int64, environment: ContainerEnvironment) throws -> String {
        let name = try AssetsFolder.name(in: recordsFile(container: container, environment: environment), engine)
        return assetsFolder(container: container, environment: environment, name: name)
    }

    /// - Parameter name: what the records' file says, if it says anything.
    func assetsFolder(container: Int64, environment: ContainerEnvironment, name: String?) -> String {
        "\(path)/containers/" + (name ?? "\(container)-\(environment.rawValue)-assets")
    }
}
