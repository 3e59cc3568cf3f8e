import CloudAssets
import CloudEngine
import CloudModel
import CloudTransfer
import Foundation

/// Checks for backups and the age of the latest.
struct BackupChecks {
    let settings: Settings
    let folder: DataFolder

    func run() async -> [Finding] {
        guard settings.database.address == nil else {
            return [.ok("backups", "PostgreSQL has backups of its own")]
        }
        let archive: BackupArchive
        do {
            guard let place = try settings.backup.archive(data: settings.data) else { return [none] }
            archive = BackupArchive(place, of: folder)
            guard let last = try await archive.list().last else { return [notYet(place.place)] }
            return [age(try last.manifest.get())]
        } catch {
            return [.fail("backups", Complaint(error).description, "mend that, and try it with 'cumulus backup list'")]
        }
    }

    private var none: Finding {
        let remedy = "set 'backup.to' to a folder of another disk or to s3://bucket/prefix"
        guard let last = BackupNote.read(folder) else { return .warn("backups", "none was ever made", remedy) }
        return .warn("backups", "the last was made \(Self.age(of: last.began, folder.now())) by hand", remedy)
    }

    private func notYet(_ place: String) -> Finding {
        .warn(
            "backups", "\(place) has none yet", "a running server makes one by itself; or run 'cumulus backup create'")
    }

    private func age(_ manifest: BackupManifest) -> Finding {
        let text = "the last is \(manifest.name), \(Self.age(of: manifest.began, folder.now()))"
        let age = folder.now().milliseconds - manifest.began.milliseconds
        guard age > 2 * settings.backup.every.components.seconds * 1000 else { return .ok("backups", text) }
        return .warn(
            "backups", "\(text), and one is due every \(settings.backup.every.components.seconds / 60) minutes",
            "look for 'no backup was made' in the server's log, and run 'cumulus backup create'")
    }

    private static func age(of moment: Timestamp, _ now: Timestamp) -> String {
        let minutes = max(0, now.milliseconds - moment.milliseconds) / 60_000
        return (minutes < 120 ? Counted.text(minutes, "minute") : Counted.text(minutes / 60, "hour")) + " ago"
    }
}
