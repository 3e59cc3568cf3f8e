/// A step of a backup or of restoring one that has just been done.
enum BackupStep: Hashable, Sendable {
    /// The copy of a database is in the archive, its assets are not yet.
    case database(String)
    /// The assets of a database are there.
    case assets(String)
    /// All but the manifest is there.
    case whole
    /// The contents of the backup are in the data folder and counted; nothing else has changed.
    case staged
    /// Some of what was there was moved aside, or some of the backup into its place.
    case moved(String)
}

/// Told of each step.
typealias ReachedBackupStep = @Sendable (BackupStep) async throws -> Void
