package import CloudAssets
package import CloudModel
import CloudMedia
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A preview's bytes and their format.
package struct Preview: Sendable {
    package let reader: any AssetReading
    package let format: PreviewFormat
}

/// Previews of one environment's pictures, made on first request and kept on disk.
package final class Previews: Sendable {
    private typealias Key = PreviewState.Key

    /// The largest number of pictures whose preview is prepared at once, and of previews that wait to replace others.
    static let (mostPreparing, mostReplacing) = (16, 16)

    private let files: PreviewFiles
    private let frames: PreviewFrames
    private let maker: PreviewMaker
    private let turns: VisitorTurns
    private let slots: FileSlots
    private let room: PreviewRoom
    /// Nil for a server without films.
    let films: Films?
    private let state = Mutex(PreviewState())

    /// - Parameters:
    ///   - folder: the folder for preview files.
    ///   - slots: bounds the number of open preview files.
    package init(folder: String, maker: PreviewMaker, slots: FileSlots = FileSlots()) {
        files = PreviewFiles(folder: folder)
        frames = PreviewFrames(files: files, maker: maker)
        self.maker = maker
        turns = VisitorTurns(programs: maker.programs, mostWaiting: maker.mostWaiting)
        self.slots = slots
        let room = PreviewRoom(files: files, most: maker.mostBytes)
        self.room = room
        films = maker.films.map { [files] in Films(files: files, maker: $0, slots: slots, room: room) }
    }

    /// Returns true for a picture of known size within the limits, and for a video of which pictures are made, unless an
    /// attempt has failed.
    func accepts(_ asset: AssetTable.Row, in store: any AssetStore) async throws -> Bool {
        let description = asset.description
        if ContentType.isVideo(description.contentType) {
            let isRefused = state.withLock { $0.refused.contains(asset.file) }
            return !isRefused && maker.posters?.accepts(description.contentType) == true
        }
        guard ContentType.hasPreview(description.contentType), let pixels = description.imageSize?.pixels,
            !state.withLock({ $0.refused.contains(asset.file) })
        else { return false }
        switch maker.limits.verdict(pixels, type: description.contentType) {
        case .good: return true
        case .tooLarge: return false
        case .ifBaseline: return try await isBaseline(asset, in: store)
        }
    }

    /// Has `make` make a preview, unless one of the picture is prepared already, or many others are.
    func prepare(_ asset: AssetKey, _ make: @escaping @Sendable () async -> Void) {
        guard maker.preparesAhead else { return }
        let begins = state.withLock { state in
            state.preparing.count < Self.mostPreparing && state.preparing.insert(asset).inserted
        }
        guard begins else { return }
        // Detached: the caller's snapshot ends before.
        Task.detached(priority: .low) { [self] in
            await make()
            state.withLock { _ = $0.preparing.remove(asset) }
        }
    }

    /// Returns true if the header of a JPEG says that it can be shrunk while it is read.
    private func isBaseline(_ asset: AssetTable.Row, in store: any AssetStore) async throws -> Bool {
        if let known = state.withLock({ $0.shrinkable[asset.file] }) { return known }
        guard let reader = try await store.open(asset.file) else { return false }
        var head: [UInt8] = []
        for try await piece in reader.bytes(in: 0..<min(reader.size, Int64(PreviewMaker.longestHeader))) {
            head += piece.readableBytesView
        }
        let facts = MediaScan(MemorySource(head))?.facts
        let isBaseline = facts?.size != nil && facts?.isProgressive == false
        state.withLock { $0.shrinkable[asset.file] = isBaseline }
        return isBaseline
    }

    /// The preview of a picture; nil for other files, too large pictures and broken pictures.
    ///
    /// - Parameters:
    ///   - format: the format that the client prefers; JPEG is made where it is not used or fails.
    ///   - isAhead: true if nobody waits for it; others who ask meanwhile wait for the same program.
    ///   - visitor: the network of the visitor who asks; nil if nobody does.
    ///   - account: gives the picture's account; called only to make a new preview.
    ///   - hdr: gives how bright the picture or video is; called only to make a new preview.
    /// - Throws: `TRY_AGAIN_LATER` after an attempt that the machine stopped, and in the pause after it.
    func preview(
        of asset: AssetTable.Row, _ size: PreviewSize, as format: PreviewFormat, in store: any AssetStore,
        isAhead: Bool = false, for visitor: String? = nil, account: @escaping @Sendable () async throws -> String,
        hdr: @escaping @Sendable () async throws -> HDRKind
    ) async throws -> Preview? {
        guard try await accepts(asset, in: store) else { return nil }
        let source = PreviewSource(
            asset: asset, store: store, isAhead: isAhead, visitor: visitor, account: account, hdr: hdr)
        let key = Key(
            file: asset.file, size: size, format: format.used(for: size, of: asset.description.contentType))
        let jpeg = Key(file: asset.file, size: size, format: .jpeg)
        guard key.format != .jpeg, !state.withLock({ $0.onlyJPEG.contains(key) }) else {
            return try await preview(jpeg, source)
        }
        if size == .large {
            // AVIF takes three times the time: visitors get the JPEG meanwhile.
            if let made = try stored(key) { return made }
            guard let given = try await preview(jpeg, source) else { return nil }
            replaceLater(key, source)
            return given
        }
        if let made = try await preview(key, source) { return made }
        return try await preview(jpeg, source)
    }

    /// Makes a preview that is given from then on, unless many others wait. The next request tries again.
    private func replaceLater(_ key: Key, _ source: PreviewSource) {
        let begins = state.withLock { state in
            state.replacing.count < Self.mostReplacing && state.replacing.insert(key).inserted
        }
        guard begins else { return }
        // Detached: the caller's snapshot ends before.
        Task.detached(priority: .low) { [self] in
            _ = try? await preview(key, source.ahead)
            state.withLock { _ = $0.replacing.remove(key) }
        }
    }

    /// The number of previews that wait to replace others.
    var replacing: Int { state.withLock { $0.replacing.count } }

    private func stored(_ key: Key) throws -> Preview? {
        try FileReader(path: files.path(of: key.file, key.size, key.format), slots: slots).map {
            Preview(reader: $0, format: key.format)
        }
    }

    private func preview(_ key: Key, _ source: PreviewSource) async throws -> Preview? {
        if let made = try stored(key) { return made }
        let account = try await source.account()
        return try await turns.run(for: source.visitor, of: account) { try await madeOnce(key, source, account) }
    }

    private func madeOnce(_ key: Key, _ source: PreviewSource, _ account: String) async throws -> Preview? {
        if let made = try stored(key) { return made }
        let making = try state.withLock { state -> Task<Bool, any Error>? in
            if state.refused.contains(key.file) { return nil }
            if let task = state.making[key] { return task }
            if let refusal = state.pauses.refusal(key.file, at: maker.now()) { throw refusal }
            // An unstructured task: the first requester's cancellation must not fail other requesters.
            let task = Task { try await self.attempt(key, source, for: account) }
            state.making[key] = task
            return task
        }
        guard let making, try await making.value else { return nil }
        return try stored(key)
    }

    private func attempt(_ key: Key, _ source: PreviewSource, for account: String) async throws -> Bool {
        defer { state.withLock { $0.making[key] = nil } }
        do {
            let isMade = try await make(key, source, for: account)
            if isMade { state.withLock { $0.pauses.end(key.file) } }
            return isMade
        } catch let stop as ProgramStop {
            let refusal = state.withLock { state -> ServerError? in
                // A JPEG takes a third of the time.
                guard key.format == .jpeg else {
                    state.onlyJPEG.insert(key)
                    return nil
                }
                state.pauses.begin(key.file, stop, at: maker.now())
                return state.pauses.refusal(key.file, at: maker.now())
            }
            if let refusal { throw refusal }
            return false
        }
    }

    private func make(_ key: Key, _ source: PreviewSource, for account: String) async throws -> Bool {
        try files.makeFolder()
        let frame = try await frames.make(source, for: account)
        if frame == .unusable, source.isVideo { refuse(key.file) }
        guard frame == .made(nil) || frame == .unusable && !source.isVideo else { return false }
        let draft = files.draft(of: key.file, key.size, key.format)
        defer { unlink(draft) }
        let outcome = try await maker.make(
            key.size, key.format, at: draft, for: account, isAhead: source.isAhead,
            replaces: key.size == .large && key.format != .jpeg, findsColor: isColorWanted(key)
        ) {
            frame == .made(nil)
                ? try FileReader(path: files.frame(of: key.file), slots: slots) : try await source.store.open(key.file)
        }
        switch outcome {
        case .made(let color):
            let path = files.path(of: key.file, key.size, key.format)
            guard rename(draft, path) == 0 else { return false }
            if let color { keep(color, of: key.file) }
            await room.add(path)
            return true
        case .unusable:
            if key.format == .jpeg { refuse(key.file) } else { state.withLock { $0.onlyJPEG.insert(key) } }
            return false
        case .undone: return false
        }
    }

    /// The color of a picture that has a tile; nil until it has been found.
    func color(of file: AssetFile) -> PictureColor? {
        if let known = state.withLock({ $0.colors[file] }) { return known }
        guard let color = files.color(of: file) else { return nil }
        state.withLock { $0.colors[file] = color }
        return color
    }

    private func isColorWanted(_ key: Key) -> Bool { key.size == .tile && color(of: key.file) == nil }

    private func keep(_ color: PictureColor, of file: AssetFile) {
        files.keep(color, of: file)
        state.withLock { $0.colors[file] = color }
    }

    private func refuse(_ file: AssetFile) {
        state.withLock { $0.refused.insert(file) }
    }

    /// Deletes the previews of deleted contents.
    func forget(_ file: AssetFile) {
        films?.forget(file)
        files.remove(file)
    }

    /// Deletes previews whose picture is gone, those of earlier versions, drafts that a crash left, and those for which there is
    /// no room.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        let previews = try await NIOThreadPool.singleton.runIfActive { [files] in files.list() }
        let known = try await known(Array(previews.keys))
        let making = state.withLock { Set($0.making.keys.map(\.file)) }.union(films?.making ?? [])
        for (file, names) in previews where !making.contains(file) {
            for name in names where !known.contains(file) || !files.isWhole(name) { files.remove(name) }
        }
        try await room.tidy()
    }
}
