import CloudEngine
import CloudTransfer

/// The data folder's locks, for commands that need exclusive access.
struct ServerLock {
    private let locks: [FileLock]

    /// Excludes servers from the data folder.
    ///
    /// - Parameters:
    ///   - purpose: the command's action, as a verb.
    ///   - keepsBackupsOut: whether to exclude backups too.
    static func take(_ folder: DataFolder, to purpose: String, keepsBackupsOut: Bool = true) throws -> ServerLock {
        do {
            let lock = try FileLock(path: folder.lockFile, wait: false)
            guard try folder.claim(alone: true) else { throw Complaint(refusal(folder, purpose)) }
            try lock.note(LocalOperations.commandNote)
            return ServerLock(locks: [lock] + (keepsBackupsOut ? [try folder.lockBackups()] : []))
        } catch is FileLock.Held {
            throw Complaint(refusal(folder, purpose))
        }
    }

    func release() { for lock in locks { lock.release() } }

    private static func refusal(_ folder: DataFolder, _ purpose: String) -> String {
        "a server is running on \(folder.place), or another command that needs it for itself; stop it to \(purpose)"
    }
}
