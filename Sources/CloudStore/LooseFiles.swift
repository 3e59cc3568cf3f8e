import Foundation

/// Files and folders that others than their owner could use, as an older version or a copy may have left them.
package struct LooseFiles: Sendable {
    /// Paths that are their owner's alone now.
    package private(set) var closed: [String] = []
    /// Paths that stayed as they are, because they belong to somebody else.
    package private(set) var refused: [String] = []

    /// Closes the data folder to everybody but its owner, and all that is in the folders the server makes in it.
    ///
    /// What lies deeper is looked at only in a folder that was open itself: a closed one closes what is in it.
    package init(in data: DataFolder) { close(data.path, depth: 0) }

    private static let depth = 2

    private mutating func close(_ path: String, depth: Int) {
        var status = stat()
        // The folder itself may be reached by a link; nothing in it is.
        guard (depth == 0 ? stat(path, &status) : lstat(path, &status)) == 0 else { return }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFDIR else { return }
        let isOpen = status.st_mode & 0o077 != 0
        if isOpen {
            if chmod(path, status.st_mode & 0o700) == 0 {
                closed.append(path)
            } else if errno != ENOENT {
                refused.append(path)
            }
        }
        guard kind == S_IFDIR, isOpen || depth < Self.depth else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names { close("\(path)/\(name)", depth: depth + 1) }
    }
}
