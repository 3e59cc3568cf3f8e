package import CloudEngine
package import CloudModel
import Foundation

/// The data folder's note about its last backup.
package struct BackupNote: Hashable, Sendable {
    package let place: String
    package let name: String
    package let began: Timestamp

    /// Nil before the first backup.
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
    /// The file with the last backup's name and archive.
    var backupNote: String { path + "/backup.json" }

    /// The lock of programs that create, prune or restore backups, and of commands that exclude backups.
    package var backupLock: String { path + "/backup.lock" }

    /// Takes the backup lock without waiting.
    ///
    /// - Throws: ``TransferFault`` when another program holds the lock.
    package func lockBackups() throws -> FileLock {
        do { return try FileLock(path: backupLock, wait: false) } catch is FileLock.Held {
            throw TransferFault(
                "a backup of \(path) is being made or pruned, or a command is working on the folder; run the command "
                    + "again when that is done")
        }
    }
}
