import CloudModel
import Foundation
import NIOPosix

#if canImport(Glibc)
    import Glibc
#endif

/// Asset storage on a local disk.
package struct DiskAssets: AssetBackend {
    private static let suffix = "-assets"

    private let root: String
    private let leastAge: Duration
    private let makesRoot: Bool

    /// - Parameters:
    ///   - root: the parent of the environments' folders. Other contents are left alone.
    ///   - leastAge: how long the sweep keeps unknown files; above zero if other servers share the folder.
    ///   - makesRoot: whether to create a missing root; otherwise the root must exist.
    package init(root: String, leastAge: Duration = .zero, makesRoot: Bool = true) {
        self.root = root
        self.leastAge = leastAge
        self.makesRoot = makesRoot
    }

    private var givenRoot: String? { makesRoot ? nil : root }

    package var place: String { "file://\(root)" }

    package func store(folder: String, slots: FileSlots) -> any AssetStore {
        FileAssetStore(folder: "\(root)/\(folder)", in: givenRoot, slots: slots, leastAge: leastAge)
    }

    package func folders(beginningWith prefix: String) async throws -> [String] {
        try await NIOThreadPool.singleton.runIfActive { [root] in
            guard FileManager.default.fileExists(atPath: root) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: root).filter {
                $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix)
            }
        }
    }

    package func copy(_ files: [AssetFile], from folder: String, to target: String) async throws {
        try await NIOThreadPool.singleton.runIfActive { [root, givenRoot] in
            for (shard, files) in Dictionary(grouping: files, by: { FileAssetStore.shard(of: $0) }) {
                try Folder.make("\(root)/\(target)/\(shard)", in: givenRoot)
                for file in files {
                    try Self.link("\(root)/\(folder)/\(shard)/\(file.name)", "\(root)/\(target)/\(shard)/\(file.name)")
                }
                try Folder.sync("\(root)/\(target)/\(shard)")
            }
        }
    }

    /// Hard-links a file, or copies it on file systems without hard links. Contents never change, so a link serves as a copy.
    private static func link(_ file: String, _ copy: String) throws {
        guard Glibc.link(file, copy) != 0, errno != ENOENT, errno != EEXIST else { return }
        try FileCopy.run(from: file, to: copy)
        try Folder.syncFile(copy)
    }

    /// A fixed name per process.
    private static let trialName = ".cumulus-trial-\(RandomUUID.make())"

    package func tryOut() async throws {
        try await worded("takes, gives back and deletes no file") { [root, givenRoot] in
            let (path, bytes) = ("\(root)/\(Self.trialName)", Data(RandomUUID.make().utf8))
            try Folder.make(root, in: givenRoot)
            defer { unlink(path) }
            guard FileManager.default.createFile(atPath: path, contents: bytes) else {
                throw FileFault.last("write")
            }
            try Folder.syncFile(path)
            guard FileManager.default.contents(atPath: path) == bytes else { throw FileFault(call: "read", code: EIO) }
            guard unlink(path) == 0 else { throw FileFault.last("unlink") }
        }
    }

    package func look() async throws {
        try await worded("cannot be looked into") { [root] in
            // The first upload creates the root.
            guard access(root, R_OK | W_OK | X_OK) == 0 || errno == ENOENT else {
                throw FileFault.last("access")
            }
        }
    }

    private func worded(_ fault: String, _ body: @escaping @Sendable () throws -> Void) async throws {
        do { try await NIOThreadPool.singleton.runIfActive(body) } catch {
            throw AssetFault("\(place) \(fault): \(error is AssetStoreFull ? "the disk is full" : "\(error)")")
        }
    }

    package func remove(folder: String) async throws {
        try await NIOThreadPool.singleton.runIfActive { [root] in
            let path = "\(root)/\(folder)"
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
