import Foundation
import NIOPosix

/// An archive in a local or mounted folder.
package struct FolderArchive: Archive {
    private static let incoming = "incoming"
    private static let lock = "lock"

    private let root: String

    /// - Parameter root: created at the first write; its parent folder must exist.
    package init(root: String) { self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root }

    package var place: String { root }
    package var scratch: String { path(Self.incoming) }

    package func prepare() async throws -> any ArchiveTurn {
        try await onThread {
            guard access(Folder.parent(of: root), F_OK) == 0 else {
                throw ArchiveFault(
                    "\(root) cannot be made, because the folder it is in is not there; mount its disk, make the "
                        + "folder or name another")
            }
            do {
                try Folder.make(root)
                let turn = try FolderTurn(path: path(Self.lock))
                if FileManager.default.fileExists(atPath: scratch) {
                    try FileManager.default.removeItem(atPath: scratch)
                }
                try Folder.make(scratch)
                return turn
            } catch { throw worded(error, "written") }
        }
    }

    package func local(_ name: String) -> String? { path(name) }

    package func open(_ name: String) async throws -> (any AssetReading)? {
        do { return try FileReader(path: path(name)) } catch { throw worded(error, "read") }
    }

    package func take(_ path: String, as name: String, sha256: [UInt8]) async throws {
        try await onThread {
            do {
                let target = self.path(name)
                let folder = Folder.parent(of: target)
                if access(folder, F_OK) != 0 { try Folder.make(folder) }
                guard rename(path, target) == 0 else { throw FileFault.last("rename") }
                try Folder.sync(folder)
            } catch { throw worded(error, "written") }
        }
    }

    package func files(in folder: String) async throws -> [String: Int64] {
        try await onThread {
            var files: [String: Int64] = [:]
            for (name, status) in try entries(of: folder) where status.st_mode & S_IFMT == S_IFREG {
                files[name] = Int64(status.st_size)
            }
            return files
        }
    }

    package func folders(in folder: String) async throws -> [String] {
        try await onThread {
            try entries(of: folder).filter { $0.status.st_mode & S_IFMT == S_IFDIR }.map(\.name)
        }
    }

    package func delete(_ name: String) async throws {
        try await onThread {
            guard unlink(path(name)) == 0 || errno == ENOENT else { throw worded(FileFault.last("unlink"), "written") }
        }
    }

    package func remove(folder: String) async throws {
        try await onThread {
            do {
                if access(path(folder), F_OK) == 0 { try FileManager.default.removeItem(atPath: path(folder)) }
            } catch { throw worded(error, "written") }
        }
    }

    private func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

    private func entries(of folder: String) throws -> [(name: String, status: stat)] {
        guard let stream = opendir(path(folder)) else {
            if errno == ENOENT { return [] }
            throw worded(FileFault.last("opendir"), "read")
        }
        defer { closedir(stream) }
        var found: [(name: String, status: stat)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard name != ".", name != "..", lstat("\(path(folder))/\(name)", &status) == 0 else { continue }
            found.append((name, status))
        }
        return found
    }

    private func worded(_ error: any Error, _ done: String) -> any Error {
        if error is AssetStoreFull || error is ArchiveFault { return error }
        if let error = error as? CocoaError, error.code == .fileWriteOutOfSpace { return AssetStoreFull() }
        let code =
            (error as? FileFault)?.code ?? (error as? POSIXError)?.code.rawValue
            ?? ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
        let reason = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
        return ArchiveFault("\(root) cannot be \(done): \(reason); mend that or name another folder")
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

/// An exclusive lock on the archive's lock file.
private final class FolderTurn: ArchiveTurn {
    private let descriptor: Int32

    init(path: String) throws {
        // Set at the end, since an initializer that throws once all is set runs `deinit`.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault.last("open") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else { throw FileFault(call: "flock", code: code) }
            throw ArchiveFault(
                "another backup into \(Folder.parent(of: path)) is running; try again when it is "
                    + "done")
        }
        self.descriptor = descriptor
    }

    func release() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}
