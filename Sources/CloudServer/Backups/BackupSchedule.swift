package import CloudAssets

/// The backups that a server is to make by itself.
package struct BackupSchedule: Sendable {
    package let archive: any Archive
    /// From the beginning of one to that of the next.
    package let every: Duration
    /// The number of the newest that stay.
    package let keep: Int

    package init(archive: any Archive, every: Duration, keep: Int) {
        self.archive = archive
        self.every = every
        self.keep = keep
    }
}
