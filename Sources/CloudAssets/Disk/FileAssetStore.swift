import CLinux
import CloudModel
import Foundation
package import NIOCore
import NIOPosix
import Synchronization

/// Asset storage in a folder, spread over 256 subfolders.
package final class FileAssetStore: AssetStore {
    private let folder: String
    private let root: String?
    private let incoming: String
    private let slots: FileSlots
    private let leastAge: Duration
    /// Files being written, and complete files whose row may not be written yet.
    private let unconfirmed = Mutex<Set<AssetFile>>([])
    /// Folders whose names this process has synced.
    private let synced = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - folder: created on demand.
    ///   - root: an enclosing folder that must exist.
    ///   - slots: limits the number of open files.
    ///   - leastAge: how long the sweep keeps unknown files: the longest time that another server may need to write the row.
    package init(
        folder: String, in root: String? = nil, slots: FileSlots = FileSlots(), leastAge: Duration = .zero
    ) {
        self.leastAge = leastAge
        self.folder = folder
        self.root = root
        self.slots = slots
        incoming = folder + "/incoming"
    }

    package func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer {
        let slot = try slots.take()
        defer { withExtendedLifetime(slot) {} }
        let file = AssetFile.unused()
        unconfirmed.withLock { _ = $0.insert(file) }
        defer { unconfirmed.withLock { _ = $0.remove(file) } }
        let arriving = try await onThread { [self] in
            try makeFolder(folder)
            try makeFolder(incoming)
            return try IncomingFile(path: "\(incoming)/\(file.name)")
        }
        do {
            let description = try await arriving.write(contents, limit: limit)
            try await onThread { [self] in
                try makeFolder(shard(of: file))
                try arriving.finish(as: path(of: file))
            }
            let (isKept, result) = try await keep(TakenAsset(file: file, description: description))
            if !isKept { try await delete(file) }
            return result
        } catch {
            arriving.discard()
            unlink(path(of: file))
            throw error
        }
    }

    /// Opens a file, which stays readable after deletion while held.
    package func open(_ file: AssetFile) async throws -> (any AssetReading)? {
        try FileReader(path: path(of: file), slots: slots)
    }

    package func delete(_ file: AssetFile) async throws {
        let path = path(of: file)
        _ = try await onThread { unlink(path) }
    }

    package func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        for file in try await files(in: incoming) where !unconfirmed.withLock({ $0.contains(file) }) {
            unlink("\(incoming)/\(file.name)")
        }
        for shard in 0..<256 {
            let files = try await files(in: "\(folder)/\(shard < 16 ? "0" : "")\(String(shard, radix: 16))")
            if files.isEmpty { continue }
            // This order matters: files that left `unconfirmed` have their rows by the time `known` looks.
            let unconfirmed = unconfirmed.withLock { $0 }
            let known = try await known(files)
            for file in files where !known.contains(file) && !unconfirmed.contains(file) { try await delete(file) }
        }
    }

    // MARK: Paths

    /// The subfolder of a file within the store's folder.
    static func shard(of file: AssetFile) -> String { String(file.name.prefix(2)) }

    private func shard(of file: AssetFile) -> String { "\(folder)/\(Self.shard(of: file))" }
    private func path(of file: AssetFile) -> String { "\(shard(of: file))/\(file.name)" }

    private func files(in folder: String) async throws -> [AssetFile] {
        try await onThread { [leastAge] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { leastAge == .zero || Self.age(of: "\(folder)/\($0)") >= leastAge }
                .map(AssetFile.init(name:))
        }
    }

    /// The time since a file's last write.
    private static func age(of path: String) -> Duration {
        var status = stat()
        guard stat(path, &status) == 0 else { return .zero }
        return .seconds(time(nil) - Int(clinux_modified(&status)))
    }

    private func makeFolder(_ path: String) throws {
        if synced.withLock({ $0.contains(path) }), access(path, F_OK) == 0 { return }
        do { try Folder.make(path, in: root) } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw AssetStoreFull()
        }
        synced.withLock { _ = $0.insert(path) }
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
