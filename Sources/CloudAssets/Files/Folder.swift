import CLinux
import Foundation

/// Folders whose names outlive a power cut.
package enum Folder {
    /// Makes a folder, readable by its owner alone, with those it is in, and syncs the name of each.
    ///
    /// The name of one that is there already is synced too: whoever made it may have been killed before that.
    ///
    /// - Parameter root: a folder around it that is not made: when it is lost, it is to be missed.
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
                // Somebody else made it and its parent is theirs, as with a volume that is mounted.
            }
        }
    }

    /// Puts a folder's entries on disk.
    package static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault.last("fsync") }
    }

    /// Puts a file's contents on disk, whoever wrote them.
    package static func syncFile(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        defer { close(descriptor) }
        guard clinux_sync_data(descriptor) == 0 else { throw FileFault.last("fdatasync") }
    }

    /// Syncs the entries of the folder that a file or a folder is in.
    package static func syncParent(of path: String) throws { try sync(parent(of: path)) }

    /// The folder that a file or a folder is in. Foundation ends the program for a relative path of one letter.
    static func parent(of path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return path.isEmpty ? "/" : "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
