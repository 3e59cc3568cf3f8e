import Synchronization

/// The epochs that this process left when it closed files.
///
/// A file that is opened again goes on with its epoch if nothing has happened to it meanwhile, so that a server which
/// closes what nobody uses does not begin an epoch each time.
package final class EpochMemory: Sendable {
    struct Left: Hashable {
        let epoch: Int64
        /// The file's last position.
        let position: Int64
    }

    private let files = Mutex<[String: Left]>([:])

    package init() {}

    /// Forgets what it answers: whoever opened the file is the one to leave it next.
    func take(_ path: String) -> Left? { files.withLock { $0.removeValue(forKey: path) } }

    func leave(_ path: String, _ left: Left) { files.withLock { $0[path] = left } }
}
