package import CloudEngine

extension DataFolder {
    /// The lock for deleting asset contents, and for copying them into a backup.
    var assetsLock: String { path + "/assets.lock" }
}

extension FileLock {
    /// Waits for the assets lock: a backup takes it to stop deletions, and a deletion takes it to stop backups.
    package static func assets(of data: DataFolder) async throws -> FileLock {
        while true {
            do { return try FileLock(path: data.assetsLock, wait: false) } catch is FileLock.Held {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
