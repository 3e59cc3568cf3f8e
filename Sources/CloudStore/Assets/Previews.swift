package import CloudAssets
import CloudModel
import Foundation
import NIOPosix
import Synchronization

/// Previews of one environment's pictures, made on first request and kept on disk.
package final class Previews: Sendable {
    private struct Key: Hashable {
        let file: AssetFile
        let size: PreviewSize
    }

    private struct State {
        var making: [Key: Task<Bool, any Error>] = [:]
        /// Pictures that cannot have a preview; remembered to avoid repeated attempts.
        var refused = BoundedCache<AssetFile, Void>(capacity: 100_000)
    }

    private let folder: String
    private let maker: PreviewMaker
    private let slots: FileSlots
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: the folder for preview files.
    ///   - slots: bounds the number of open preview files.
    package init(folder: String, maker: PreviewMaker, slots: FileSlots = FileSlots()) {
        self.folder = folder
        self.maker = maker
        self.slots = slots
    }

    /// The preview of a picture; nil for other files, too large pictures and broken pictures.
    ///
    /// - Parameter account: gives the picture's account; called only to make a new preview.
    func preview(
        of asset: AssetTable.Row, _ size: PreviewSize, in store: any AssetStore,
        account: @escaping @Sendable () async throws -> String
    ) async throws -> (any AssetReading)? {
        guard ContentType.hasPreview(asset.description.contentType), let pixels = asset.description.imageSize?.pixels,
            pixels <= maker.mostPixels
        else { return nil }
        let path = path(of: asset.file, size)
        if let made = try FileReader(path: path, slots: slots) { return made }
        let key = Key(file: asset.file, size: size)
        let making = state.withLock { state -> Task<Bool, any Error>? in
            if state.refused.contains(asset.file) { return nil }
            if let task = state.making[key] { return task }
            // An unstructured task: the first requester's cancellation must not fail other requesters.
            let task = Task { try await self.make(key, at: path, in: store, for: account) }
            state.making[key] = task
            return task
        }
        guard let making, try await making.value else { return nil }
        return try FileReader(path: path, slots: slots)
    }

    private func make(
        _ key: Key, at path: String, in store: any AssetStore, for account: @Sendable () async throws -> String
    ) async throws -> Bool {
        defer { state.withLock { $0.making[key] = nil } }
        let account = try await account()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = "\(path.dropLast(Self.suffix.count))\(Self.draft)"
        defer { unlink(draft) }
        let isMade = try await maker.make(key.size, at: draft, for: account) { try await store.open(key.file) }
        guard isMade == true, rename(draft, path) == 0 else {
            if isMade == false { refuse(key.file) }
            return false
        }
        return true
    }

    private func refuse(_ file: AssetFile) {
        state.withLock { $0.refused.insert(file) }
    }

    /// Deletes the previews of deleted contents.
    func forget(_ file: AssetFile) {
        for size in PreviewSize.allCases { unlink(path(of: file, size)) }
    }

    /// Deletes previews whose picture is gone, and drafts that a crash left.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        let names = try await NIOThreadPool.singleton.runIfActive { [folder] in
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        let previews = Dictionary(grouping: names) { AssetFile(name: String($0.prefix { $0 != "-" })) }
        let known = try await known(Array(previews.keys))
        let making = state.withLock { Set($0.making.keys.map(\.file)) }
        for (file, names) in previews where !making.contains(file) {
            for name in names where !known.contains(file) || !Self.isWhole(name) { unlink("\(folder)/\(name)") }
        }
    }

    private static let (suffix, draft) = (".jpg", ".draft.jpg")

    private static func isWhole(_ name: String) -> Bool { name.hasSuffix(suffix) && !name.hasSuffix(draft) }

    private func path(of file: AssetFile, _ size: PreviewSize) -> String {
        "\(folder)/\(file.name)-\(size.rawValue)\(Self.suffix)"
    }
}
