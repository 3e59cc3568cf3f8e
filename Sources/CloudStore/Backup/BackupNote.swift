package import CloudModel
import Foundation

/// The last backup of a data folder, as the folder remembers it.
package struct BackupNote: Hashable, Sendable {
    package let place: String
    package let name: String
    package let began: Timestamp

    /// Nil when there was none.
    package static func read(_ data: DataFolder) -> BackupNote? {
        guard let bytes = FileManager.default.contents(atPath: data.backupNote),
            let object = (try? JSONParser.parse(Array(bytes)))?.object, let place = object["place"]?.string,
            let name = object["name"]?.string, let began = object["began"]?.integer
        else { return nil }
        return BackupNote(place: place, name: name, began: Timestamp(milliseconds: began))
    }

    func save(in data: DataFolder) throws {
        var writer = JSONWriter()
        writer.object {
            $0.member("place", place)
            $0.member("name", name)
            $0.member("began", began.milliseconds)
        }
        try LineWriter.save(writer.bytes, as: data.backupNote)
    }
}

extension DataFolder {
    /// The last backup and where it went.
    var backupNote: String { path + "/backup.json" }

    /// Held by the one program that makes backups of the folder, prunes them or restores one, and by commands during
    /// which none can be made.
    package var backupLock: String { path + "/backup.lock" }

    /// Held while contents of assets are deleted, and while a backup copies them.
    var assetsLock: String { path + "/assets.lock" }

    /// Takes the lock on backups.
    ///
    /// - Throws: ``TransferFault`` when somebody else has it.
    package func lockBackups() throws -> FileLock {
        do { return try FileLock(path: backupLock, wait: false) } catch is FileLock.Held {
            throw TransferFault(
                "a backup of \(path) is being made or pruned, or a command is working on the folder; run the command "
                    + "again when that is done")
        }
    }
}

extension FileLock {
    /// Keeps contents of assets from being deleted, once nobody is at it; or others from copying them.
    static func assets(of data: DataFolder) async throws -> FileLock {
        while true {
            do { return try FileLock(path: data.assetsLock, wait: false) } catch is FileLock.Held {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
