import Synchronization

/// The ends of epochs in files that this process has closed.
///
/// A reopened file continues its epoch if it is unchanged, so that closing idle files does not start a new epoch each time.
package final class EpochMemory: Sendable {
    package struct Left: Hashable {
        let epoch: Int64
        /// The file's last position.
        let position: Int64
    }

    private let files = Mutex<[String: Left]>([:])

    package init() {}

    /// Returns and removes the entry: the caller opens the file, and leaves a new entry when it closes.
    package func take(_ path: String) -> Left? { files.withLock { $0.removeValue(forKey: path) } }

    func leave(_ path: String, _ left: Left) { files.withLock { $0[path] = left } }
}
