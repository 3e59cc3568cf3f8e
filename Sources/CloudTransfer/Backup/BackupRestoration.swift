package import CloudAssets
package import CloudEngine
import CloudModel
import CloudSQL
import Foundation

/// Replaces a data folder's contents by a backup and moves the old contents aside.
///
/// The whole backup is first staged, verified and counted. A few renames then swap the contents. A note marks the swap
/// from its first rename to its last; no server starts while the note exists, and the next restore completes an
/// interrupted swap.
package struct BackupRestoration: Sendable {
    let data: DataFolder
    let backups: BackupArchive
    let report: ReportProgress
    var reached: ReachedBackupStep = { _ in }

    package struct Outcome: Sendable {
        package let name: String
        /// The folder with the previous contents; nil if the data folder was empty.
        package let aside: String?
        /// Nil if this run only completed an interrupted restore.
        package let manifest: BackupManifest?
    }

    package init(
        of data: DataFolder, from archive: any Archive, report: @escaping ReportProgress = { _ in }
    ) {
        self.data = data
        backups = BackupArchive(archive, of: data)
        self.report = report
    }

    /// Restores a backup. No other process may use the data folder.
    ///
    /// - Parameter name: the backup's name; nil for the newest.
    /// - Throws: ``TransferFault`` in words for the operator; the previous contents are never lost.
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

    /// An unused folder name for the previous contents.
    private func aside() throws -> String {
        let time = data.now().date.formatted(.iso8601.timeSeparator(.omitted))
        var (name, number) = ("before-\(time)", 1)
        while FileManager.default.fileExists(atPath: "\(data.path)/\(name)") {
            number += 1
            name = "before-\(time)-\(number)"
        }
        return name
    }

    /// Does the remaining renames.
    private func finish(_ note: RestoreNote, _ manifest: BackupManifest?) async throws -> Outcome {
        let staged = data.restoreFolder
        let aside = "\(data.path)/\(note.aside)"
        try Folder.make(aside)
        // The accounts move last: while they are staged, the folder's journal files and outbox belong to the old data.
        if exists("\(staged)/\(BackupNames.accounts)") {
            for name in ["accounts.sqlite-wal", "accounts.sqlite-shm", "outbox", "backup.json"] {
                try await move("\(data.path)/\(name)", to: "\(aside)/\(name)")
            }
        }
        // Remove an empty containers folder, as in a new data folder, instead of keeping it.
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
