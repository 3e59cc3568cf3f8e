import CloudWire
import CloudAssets
import CloudPostgres
import Foundation
import Logging

/// The configuration of backups.
struct BackupSettings: Sendable {
    /// A folder, or `s3://bucket/prefix`; nil for none.
    var to: String?
    var every = Duration.seconds(86400)
    var keep = 14
    var bucket = BucketSettings()

    /// The configured archive; nil without a setting.
    ///
    /// - Parameters:
    ///   - place: a command's argument, which overrides the setting.
    ///   - data: the data folder, which holds files being uploaded to a bucket.
    /// - Throws: ``Complaint`` for an invalid setting.
    func archive(
        at place: String? = nil, data: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (any Archive)? {
        guard let place = place ?? to else { return nil }
        guard place.hasPrefix("s3:") else {
            let path = place.hasPrefix("file:///") ? String(place.dropFirst("file://".count)) : place
            return FolderArchive(root: URL(filePath: path).standardizedFileURL.path())
        }
        var options = S3Options()
        options.checksums = bucket.checksums
        return BucketArchive(
            bucket: try bucket.bucket(place, from: "backup.to", group: "backup", environment: environment),
            scratch: data + "/backup-spool", options: options, logger: Logger(label: "cumulus"))
    }
}

extension Settings {
    /// The schedule of automatic backups; nil if backups are off.
    func backupSchedule() throws -> BackupSchedule? {
        try backup.archive(data: data).map {
            guard database.address == nil else {
                throw Complaint("backup.to cannot be set beside database.url: \(PostgresEngine.backupRefusal)")
            }
            return BackupSchedule(archive: $0, every: backup.every, keep: backup.keep)
        }
    }
}
