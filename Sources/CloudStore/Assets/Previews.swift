import CloudModel
import Foundation
import NIOPosix
import Synchronization

/// The previews of one environment's pictures, made when first asked for and kept.
final class Previews: Sendable {
    private struct Key: Hashable {
        let file: AssetFile
        let size: PreviewSize
    }

    private struct State {
        var making: [Key: Task<Bool, any Error>] = [:]
        /// Pictures no preview can be made of, so that nobody has it tried again and again.
        var refused = BoundedCache<AssetFile, Void>(capacity: 100_000)
    }

    private let folder: String
    private let maker: PreviewMaker
    private let state = Mutex(State())

    init(folder: String, maker: PreviewMaker) {
        self.folder = folder
        self.maker = maker
    }

    /// Nil for what is no picture, is too large, or is broken.
    ///
    /// - Parameter account: whose picture it is; asked when one has to be made.
    func preview(
        of asset: AssetTable.Row, _ size: PreviewSize, in store: any AssetStore,
        account: @escaping @Sendable () async throws -> String
    ) async throws -> AssetReader? {
        guard ContentType.hasPreview(asset.description.contentType), let pixels = asset.description.imageSize?.pixels,
            pixels <= maker.mostPixels
        else { return nil }
        let path = path(of: asset.file, size)
        if let made = try AssetReader(path: path, slots: store.slots) { return made }
        let key = Key(file: asset.file, size: size)
        let making = state.withLock { state -> Task<Bool, any Error>? in
            if state.refused.contains(asset.file) { return nil }
            if let task = state.making[key] { return task }
            // Not a child of whoever asks first: others wait for the same picture.
            let task = Task { try await self.make(key, at: path, in: store, for: account) }
            state.making[key] = task
            return task
        }
        guard let making, try await making.value else { return nil }
        return try AssetReader(path: path, slots: store.slots)
    }

    private func make(
        _ key: Key, at path: String, in store: any AssetStore, for account: @Sendable () async throws -> String
    ) async throws -> Bool {
        defer { state.withLock { $0.making[key] = nil } }
        let account = try await account()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = "\(path.dropLast(".jpg".count)).draft.jpg"
        defer { unlink(draft) }
        let isMade = try await store.withLocalFile(key.file) { source in
            try await self.maker.make(key.size, of: source, at: draft, for: account)
        }
        guard isMade == true, rename(draft, path) == 0 else {
            if isMade == false { refuse(key.file) }
            return false
        }
        return true
    }

    private func refuse(_ file: AssetFile) {
        state.withLock { $0.refused.insert(file) }
    }

    /// Drops the previews of contents that are gone.
    func forget(_ file: AssetFile) {
        for size in PreviewSize.allCases { unlink(path(of: file, size)) }
    }

    /// Drops previews of contents that are not known: left by a crash, or made while their picture went.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        let names = try await NIOThreadPool.singleton.runIfActive { [folder] in
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        let previews = Dictionary(grouping: names) { AssetFile(name: String($0.prefix { $0 != "-" })) }
        let known = try await known(Array(previews.keys))
        for (file, names) in previews where !known.contains(file) {
            for name in names { unlink("\(folder)/\(name)") }
        }
    }

    private func path(of file: AssetFile, _ size: PreviewSize) -> String {
        "\(folder)/\(file.name)-\(size.rawValue).jpg"
    }
}
