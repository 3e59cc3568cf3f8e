import CLinux
import CloudStore
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Checks the data folder's permissions, disk and file times.
struct FolderChecks {
    let path: String

    /// Limit on the files examined in the data folder, to save time.
    private static let mostFiles = 10_000
    /// Tolerated seconds between a file's time and a clock behind it.
    private static let mostAhead = 60
    /// Network and user-space file systems, by name prefix in proc_mounts(5).
    private static let remoteKinds = ["nfs", "cifs", "smb", "fuse", "9p", "ceph", "gluster", "virtiofs"]

    func run(leastFree: Int) -> [Finding] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return [
                .fail(
                    "data", "the data folder \(path) is not there",
                    "name it with --data, mount its disk, or begin with 'cumulus serve'")
            ]
        }
        let files = files()
        return [modes(files), owner(files), disk(leastFree), kind, clock(files)]
    }

    private struct File {
        let path: String
        let status: stat

        /// Seconds since 1970.
        var modified: Int { withUnsafePointer(to: status) { Int(clinux_modified($0)) } }
    }

    /// The folder and its contents, two levels deep, like the server's own look.
    private func files() -> [File] {
        var found: [File] = []
        func look(_ path: String, depth: Int) {
            var status = stat()
            guard found.count < Self.mostFiles, (depth == 0 ? stat(path, &status) : lstat(path, &status)) == 0 else {
                return
            }
            found.append(File(path: path, status: status))
            guard status.st_mode & S_IFMT == S_IFDIR, depth < 2 else { return }
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] {
                look("\(path)/\(name)", depth: depth + 1)
            }
        }
        look(path, depth: 0)
        return found
    }

    private func modes(_ files: [File]) -> Finding {
        let open = files.filter { $0.status.st_mode & S_IFMT != S_IFLNK && $0.status.st_mode & 0o077 != 0 }
        guard let first = open.first else { return .ok("modes", "the data folder is its owner's alone") }
        return .warn(
            "modes", "other users of this machine can get at \(Counted.text(open.count, "file")), first \(first.path)",
            "chmod -R go= \(path); a server that starts does it too")
    }

    private func owner(_ files: [File]) -> Finding {
        let user = geteuid()
        guard let stranger = files.first(where: { $0.status.st_uid != user }) else {
            return .ok("owner", "all of it belongs to the user of this command")
        }
        return .warn(
            "owner",
            "\(stranger.path) belongs to user \(stranger.status.st_uid), and this command runs as user \(user)",
            "run it as the user that the server runs as; if that is \(user), chown -R \(user) \(path)")
    }

    private func disk(_ least: Int) -> Finding {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return .warn("disk", "the system does not say how full it is", "see what 'df' says of \(path)")
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let text = "\(free >> 20) MB are left"
        if free < least {
            return .fail("disk", "\(text), fewer than the \(least >> 20) of limit.freeBytes", "make room on the disk")
        }
        let whole = Int(clamping: UInt64(status.f_blocks) * UInt64(status.f_frsize))
        return free < whole / 10 && free < 10 << 30
            ? .warn("disk", "\(text), less than a tenth of it", "make room on the disk") : .ok("disk", text)
    }

    private var kind: Finding {
        let name = Self.fileSystem(of: URL(filePath: path).resolvingSymlinksInPath().path())
        guard let name, Self.remoteKinds.contains(where: name.hasPrefix) else {
            return .ok("file system", "it is this machine's\(name.map { ", \($0)" } ?? "")")
        }
        return .warn(
            "file system", "the data folder is on \(name), whose locks SQLite cannot trust",
            "put the data folder on a local disk; assets may be elsewhere (assets.url)")
    }

    /// The file system type of a path's mount; nil if unknown.
    private static func fileSystem(of path: String) -> String? {
        #if os(Linux)
            let list = "/proc/self/mounts"
        #else
            let list = ""
        #endif
        guard let mounts = try? String(contentsOfFile: list, encoding: .utf8) else { return nil }
        let path = path.hasSuffix("/") ? path : path + "/"
        var best: (point: String, kind: String)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            // The mount list escapes blanks in octal.
            let point = String(fields[1]).replacing("\\040", with: " ")
            // A later mount covers an earlier mount at the same path.
            if path.hasPrefix(point.hasSuffix("/") ? point : point + "/"), point.count >= best?.point.count ?? 0 {
                best = (point, String(fields[2]))
            }
        }
        return best?.kind
    }

    private func clock(_ files: [File]) -> Finding {
        let now = Int(Date().timeIntervalSince1970)
        let newest = files.max { $0.modified < $1.modified }
        guard let newest, newest.modified > now + Self.mostAhead else {
            return .ok("clock", "no file of the data folder is of a later time")
        }
        return .fail(
            "clock", "\(newest.path) was written \(newest.modified - now) seconds after now",
            "set this machine's clock, and keep it right with NTP; sessions and signed links go by it")
    }
}
