package import CloudAssets
import CloudModel
import CloudSQL
import Foundation

/// Puts a backup into the place of a data folder's contents, which are moved aside.
///
/// All of the backup is brought beside what is there first, read and counted. The change itself is a few renames: from
/// the first of them on a note stands in the folder, with which no server starts, until the last is done. Whoever
/// restores after an interruption goes on with these.
package struct BackupRestoration: Sendable {
    let data: DataFolder
    let backups: BackupArchive
    let report: ReportProgress
    var reached: ReachedBackupStep = { _ in }

    package struct Outcome: Sendable {
        package let name: String
        /// The folder that what was there before is in; nil when nothing was.
        package let aside: String?
        /// Nil when the restore was one that had been interrupted, and only had to be finished.
        package let manifest: BackupManifest?
    }

    package init(
        of data: DataFolder, from archive: any Archive, report: @escaping ReportProgress = { _ in }
    ) {
        self.data = data
        backups = BackupArchive(archive, of: data)
        self.report = report
    }

    /// Restores, while nobody else uses the data folder.
    ///
    /// - Parameter name: of the backup; nil for the newest.
    /// - Throws: ``TransferFault`` in words for the operator; nothing that was there before is lost.
    package func run(_ name: String?) async throws -> Outcome {
        try await backups.worded {
            let lock = try data.lockBackups()
            defer { lock.release() }
            if let begun = try RestoreNote.read(data) { return try await finish(begun, nil) }
            let manifest = try await backups.manifest(name)
            guard manifest.schema.isKnown(in: data) else {
                throw TransferFault(
                    "the backup \(manifest.name) was made by a newer version of cumulus, \(manifest.program); this is "
                        + "\(ProgramVersion.text). Restore it with that version")
            }
            let staging = RestoreStaging(manifest: manifest, restoration: self)
            try await staging.clear()
            do { try await staging.fill() } catch {
                try? await staging.clear()
                throw error
            }
            try await reached(.staged)
            let note = RestoreNote(name: manifest.name, aside: try aside())
            try note.save(in: data)
            return try await finish(note, manifest)
        }
    }

    /// The name of a folder that is not there yet.
    private func aside() throws -> String {
        let time = data.now().date.formatted(.iso8601.timeSeparator(.omitted))
        var (name, number) = ("before-\(time)", 1)
        while FileManager.default.fileExists(atPath: "\(data.path)/\(name)") {
            number += 1
            name = "before-\(time)-\(number)"
        }
        return name
    }

    /// Does the renames that are left to do.
    private func finish(_ note: RestoreNote, _ manifest: BackupManifest?) async throws -> Outcome {
        let staged = data.restoreFolder
        let aside = "\(data.path)/\(note.aside)"
        try Folder.make(aside)
        // The accounts last: as long as they are staged, what is in the folder is of before.
        if exists("\(staged)/\(BackupNames.accounts)") {
            for name in ["accounts.sqlite-wal", "accounts.sqlite-shm", "outbox", "backup.json"] {
                try await move("\(data.path)/\(name)", to: "\(aside)/\(name)")
            }
        }
        // One that is empty, as in a new data folder, is nothing to keep.
        rmdir("\(data.path)/containers")
        for name in ["containers", BackupNames.accounts] where exists("\(staged)/\(name)") {
            try await move("\(data.path)/\(name)", to: "\(aside)/\(name)")
            try await move("\(staged)/\(name)", to: "\(data.path)/\(name)")
        }
        try FileManager.default.removeItem(atPath: staged)
        try Folder.sync(data.path)
        try RestoreNote.remove(from: data)
        let isEmpty = try FileManager.default.contentsOfDirectory(atPath: aside).isEmpty
        if isEmpty { try FileManager.default.removeItem(atPath: aside) }
        return Outcome(name: note.name, aside: isEmpty ? nil : aside, manifest: manifest)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func move(_ path: String, to target: String) async throws {
        guard exists(path) else { return }
        guard rename(path, target) == 0 else {
            throw TransferFault(
                "\(path) cannot be moved to \(target): \(String(cString: strerror(errno))); mend that and run the command "
                    + "again, which goes on from here")
        }
        try Folder.syncParent(of: path)
        try Folder.syncParent(of: target)
        try await reached(.moved((path as NSString).lastPathComponent))
    }
}
