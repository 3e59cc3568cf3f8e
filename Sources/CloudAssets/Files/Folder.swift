import CLinux
import Foundation

/// Creates and syncs folders, so that their names survive a power cut.
package enum Folder {
    /// Creates a folder for its owner alone, creates missing parents, and syncs each new name.
    ///
    /// An existing folder's name is synced too, since its creator may have been killed before syncing.
    ///
    /// - Parameter root: an enclosing folder that is never created, so that a missing disk is noticed.
    package static func make(_ path: String, in root: String? = nil) throws {
        if let root, access(root, F_OK) != 0 { throw FileFault.last("access") }
        var unsynced = [path]
        while let first = unsynced.last, case let parent = Self.parent(of: first), access(parent, F_OK) != 0 {
            unsynced.append(parent)
        }
        let isNew = access(path, F_OK) != 0
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for folder in unsynced.reversed() {
            do { try sync(parent(of: folder)) } catch let fault as FileFault where fault.code == EACCES && !isNew {
                // The parent belongs to another user, as with a mounted volume.
            }
        }
    }

    /// Syncs a folder's entries.
    package static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault.last("fsync") }
    }

    /// Syncs a file's contents, including other writers' data.
    package static func syncFile(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        defer { close(descriptor) }
        guard clinux_sync_data(descriptor) == 0 else { throw FileFault.last("fdatasync") }
    }

    /// Syncs the parent folder's entries.
    package static func syncParent(of path: String) throws { try sync(parent(of: path)) }

    /// The parent folder of a path. Foundation crashes for a relative path of one letter.
    static func parent(of path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return path.isEmpty ? "/" : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
