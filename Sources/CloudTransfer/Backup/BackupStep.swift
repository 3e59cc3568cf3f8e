import CloudStore

/// A completed step of a backup or a restore.
enum BackupStep: Hashable, Sendable {
    /// A database copy is complete; its assets follow.
    case database(String)
    /// A database's copy and assets are in the archive.
    case assets(String)
    /// The backup is complete except for its manifest.
    case whole
    /// The backup is staged in the data folder and counted; the live files are unchanged.
    case staged
    /// A file or folder was moved aside, or from the staging folder into place.
    case moved(String)
}

/// Called after each step.
typealias ReachedBackupStep = @Sendable (BackupStep) async throws -> Void
