import CloudAssets
import CloudEngine
import Foundation

/// Database files, with SQLite's side files.
struct DatabaseFiles: DatabaseLocations {
    let opener: SQLiteOpener
    let isSynced: Bool

    private static let besides = ["-wal", "-shm", "-journal"]

    func facts(of path: String) -> DatabaseFacts? {
        FileIdentity(path: path).map { file in
            DatabaseFacts(identity: (file.device, file.inode), isEmpty: file.size == 0)
        }
    }

    var place: String? { nil }
    func name(of path: String) -> String { path }

    func logBytes(of path: String) -> Int64 { FileIdentity(path: path + "-wal")?.size ?? 0 }

    func move(_ path: String, to place: String) throws {
        try emptyLog(place)
        if isSynced { try Folder.syncParent(of: place) }
        guard rename(path, place) == 0 else { throw FileFault.last("rename") }
        if isSynced { try Folder.syncParent(of: place) }
    }

    /// Checkpoints a database's log and removes its side files, which must not mix with a replacement.
    private func emptyLog(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path + "-wal") {
            let old = try opener.openForWriting(path)
            try old.checkpoint()
            try old.close()
        }
        try removeFiles(beside: path)
    }

    /// Copies a closed database at once.
    func duplicate(_ source: String, to path: String) throws {
        try emptyLog(source)
        try FileCopy.run(from: source, to: path)
        if isSynced { try Folder.syncFile(path) }
    }

    func remove(_ path: String) throws {
        // A leftover log must not be applied to a new database.
        try removeFiles(beside: path)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    private func removeFiles(beside path: String) throws {
        for file in Self.besides.map({ path + $0 }) where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }

    func databases(beginningWith prefix: String) throws -> [String] {
        let folder = String(prefix[..<(prefix.lastIndex(of: "/") ?? prefix.startIndex)])
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".sqlite") }
    }
}
