import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudStore
import Foundation

/// A file of a backup.
struct BackupFile: Sendable {
    let file: BackupManifest.File
    /// The file's name in the archive.
    let name: String
    let backups: BackupArchive

    init(_ file: BackupManifest.File, of backup: String, in backups: BackupArchive) {
        self.file = file
        name = BackupNames.file(file.name, of: backup)
        self.backups = backups
    }

    private var place: String { "\(backups.archive.place)/\(name)" }

    /// Reads the whole file and compares its checksum.
    ///
    /// - Throws: ``TransferFault`` when the file is missing or damaged.
    func check() async throws { try compare(try await open().sha256()) }

    /// Copies the file into a local folder.
    ///
    /// - Throws: ``TransferFault`` when the file is missing or damaged.
    func fetch(into folder: String) async throws -> String {
        let path = "\(folder)/\(file.name)"
        try compare(try await open().copy(to: path, isSynced: true))
        return path
    }

    private func open() async throws -> any AssetReading {
        guard let contents = try await backups.archive.open(name) else { throw TransferFault("\(place) is missing") }
        guard contents.size == file.size else {
            throw TransferFault("\(place) has \(contents.size) of \(file.size) bytes")
        }
        return contents
    }

    private func compare(_ sha256: [UInt8]) throws {
        guard sha256.hex == file.sha256 else { throw TransferFault("\(place) is damaged: its checksum is wrong") }
    }

    /// Checks a database copy: checksum, integrity and row counts.
    ///
    /// - Throws: ``TransferFault`` naming the first problem.
    func check(_ database: BackupManifest.Database, engine: any StoreEngine) async throws {
        if let path = backups.archive.local(name) {
            try await check()
            return try await check(path, database, engine)
        }
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await check(try await fetch(into: folder.path), database, engine)
    }

    /// - Parameter path: a local file of the copy.
    func check(_ path: String, _ database: BackupManifest.Database, _ engine: any StoreEngine) async throws {
        let fault = try await BackupQueue.run { _ -> String? in
            let copy = try engine.copier.openCopy(path, readonly: true)
            defer { try? copy.close() }
            return try copy.read { db in
                if let damage = try db.problems().first { return "is damaged: \(damage)" }
                return BackupCount.difference(
                    try BackupCount.all(isAccounts: database.place == nil, db), database.counts)
            }
        }
        if let fault { throw TransferFault("\(place): \(fault)") }
    }
}
