package import CloudAssets

/// The schedule of automatic backups.
package struct BackupSchedule: Sendable {
    package let archive: any Archive
    /// The interval between the starts of two backups.
    package let every: Duration
    /// The number of newest backups to keep.
    package let keep: Int

    package init(archive: any Archive, every: Duration, keep: Int) {
        self.archive = archive
        self.every = every
        self.keep = keep
    }
}
