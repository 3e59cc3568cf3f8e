import CloudModel
import Foundation
package import NIOCore
import NIOPosix
import Synchronization

/// Assets as files of one folder, spread over 256 folders in it.
package final class FileAssetStore: AssetStore {
    private let folder: String
    private let incoming: String
    package let slots: FileSlots
    /// Files that are whole already, and whose row may not be written yet.
    private let unsettled = Mutex<Set<AssetFile>>([])
    /// Folders whose names this process has brought to disk.
    private let synced = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - folder: made when it is needed. Uploads that an earlier process began in it are gone.
    ///   - slots: for the files that are open at a time.
    package init(folder: String, slots: FileSlots = FileSlots()) throws {
        self.folder = folder
        self.slots = slots
        incoming = folder + "/incoming"
        try? FileManager.default.removeItem(atPath: incoming)
    }

    package func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer {
        let slot = try slots.take()
        defer { withExtendedLifetime(slot) {} }
        let file = AssetFile(name: RandomText.hex(bytes: 16))
        let arriving = try await onThread { [self] in
            try makeFolder(folder)
            try makeFolder(incoming)
            return try IncomingFile(path: "\(incoming)/\(file.name)")
        }
        do {
            for try await chunk in contents {
                guard arriving.count + chunk.readableBytes <= limit else { throw AssetTooLarge() }
                if arriving.collect(chunk) { try await onThread { try arriving.write() } }
            }
            unsettled.withLock { _ = $0.insert(file) }
            defer { unsettled.withLock { _ = $0.remove(file) } }
            let description = try await onThread { [self] in
                try makeFolder(shard(of: file))
                return try arriving.finish(as: path(of: file))
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

    package func open(_ file: AssetFile) async throws -> AssetReader? {
        try AssetReader(path: path(of: file), slots: slots)
    }

    package func withLocalFile<T: Sendable>(
        _ file: AssetFile, _ body: @Sendable (_ path: String) async throws -> T
    ) async throws -> T? {
        let path = path(of: file)
        return access(path, R_OK) == 0 ? try await body(path) : nil
    }

    package func delete(_ file: AssetFile) async throws {
        let path = path(of: file)
        _ = try await onThread { unlink(path) }
    }

    package func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        for shard in 0..<256 {
            let path = "\(folder)/\(shard < 16 ? "0" : "")\(String(shard, radix: 16))"
            let files = try await onThread {
                (try? FileManager.default.contentsOfDirectory(atPath: path))?.map(AssetFile.init(name:)) ?? []
            }
            if files.isEmpty { continue }
            // In this order: a file that is settled by now has its row by now.
            let unsettled = unsettled.withLock { $0 }
            let known = try await known(files)
            for file in files where !known.contains(file) && !unsettled.contains(file) { try await delete(file) }
        }
    }

    // MARK: Paths

    private func shard(of file: AssetFile) -> String { Self.shard(of: file, in: folder) }
    private func path(of file: AssetFile) -> String { Self.path(of: file, in: folder) }

    private static func shard(of file: AssetFile, in folder: String) -> String { "\(folder)/\(file.name.prefix(2))" }

    /// Where a store over `folder` keeps a file.
    static func path(of file: AssetFile, in folder: String) -> String {
        "\(shard(of: file, in: folder))/\(file.name)"
    }

    private func makeFolder(_ path: String) throws {
        if synced.withLock({ $0.contains(path) }), access(path, F_OK) == 0 { return }
        do { try Folder.make(path) } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw AssetStoreFull()
        }
        synced.withLock { _ = $0.insert(path) }
    }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
