import CloudStore

/// The data folder's lock, taken by commands that need the folder for themselves.
enum ServerLock {
    /// - Parameter purpose: what the command does, as a verb.
    static func take(_ folder: DataFolder, to purpose: String) throws -> FileLock {
        do {
            let lock = try FileLock(path: folder.lockFile, wait: false)
            try lock.note(LocalAdministration.commandNote)
            return lock
        } catch is FileLock.Held {
            throw Complaint(
                "a server is running on \(folder.path), or another command that needs it for itself; "
                    + "stop it to \(purpose)")
        }
    }
}
