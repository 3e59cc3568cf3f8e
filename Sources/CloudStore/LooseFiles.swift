package import CloudEngine
import Foundation

/// Files and folders with permissions for other users, left by an older version or a copy.
package struct LooseFiles: Sendable {
    /// Paths whose permissions were restricted to the owner.
    package private(set) var closed: [String] = []
    /// Paths that belong to another user and stay unchanged.
    package private(set) var refused: [String] = []

    /// Restricts the data folder, and the top levels of its contents, to the owner.
    ///
    /// Deeper levels are checked only inside folders that were open; a closed folder protects its contents.
    package init(in data: DataFolder) { close(data.path, depth: 0) }

    private static let depth = 2

    private mutating func close(_ path: String, depth: Int) {
        var status = stat()
        // The data folder itself may be a symbolic link; links inside are not followed.
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
