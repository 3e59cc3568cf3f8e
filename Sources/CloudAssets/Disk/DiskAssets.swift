import Foundation
import NIOPosix

/// Assets on a disk of this machine.
package struct DiskAssets: AssetBackend {
    private static let suffix = "-assets"

    private let root: String
    private let leastAge: Duration

    /// - Parameters:
    ///   - root: the folder that those of the environments are made in. What else is in it is left alone.
    ///   - leastAge: the time that a file which nobody knows stays; more than nothing where other servers use the folder.
    package init(root: String, leastAge: Duration = .zero) {
        self.root = root
        self.leastAge = leastAge
    }

    package var place: String { "file://\(root)" }

    package func store(folder: String, slots: FileSlots) -> any AssetStore {
        FileAssetStore(folder: "\(root)/\(folder)", slots: slots, leastAge: leastAge)
    }

    package func folders(beginningWith prefix: String) async throws -> [String] {
        try await NIOThreadPool.singleton.runIfActive { [root] in
            guard FileManager.default.fileExists(atPath: root) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: root).filter {
                $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix)
            }
        }
    }

    package func remove(folder: String) async throws {
        try await NIOThreadPool.singleton.runIfActive { [root] in
            let path = "\(root)/\(folder)"
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
