import CloudAssets
import CloudMedia
import CloudModel
import Foundation
import Synchronization

/// A picture or video of which previews are made, and for whom.
struct PreviewSource: Sendable {
    let asset: AssetTable.Row
    let store: any AssetStore
    /// True if nobody waits for them.
    var isAhead: Bool
    /// The network of the visitor who asks; nil if nobody does.
    var visitor: String?
    let account: @Sendable () async throws -> String
    let hdr: @Sendable () async throws -> HDRKind

    /// The source of a preview made ahead, without a visitor.
    var ahead: PreviewSource {
        var copy = self
        (copy.isAhead, copy.visitor) = (true, nil)
        return copy
    }

    var isVideo: Bool { ContentType.isVideo(asset.description.contentType) }
}

/// JPEGs that previews are made of in place of the file itself: pictures of videos, and pictures for bright screens with mapped
/// tones. Each is made once and kept.
final class PreviewFrames: Sendable {
    private let files: PreviewFiles
    private let maker: PreviewMaker
    private let making = Mutex<[AssetFile: Task<PreviewOutcome, any Error>]>([:])

    init(files: PreviewFiles, maker: PreviewMaker) {
        self.files = files
        self.maker = maker
    }

    /// Has the frame of a file made, if there is none yet.
    ///
    /// - Returns: ``PreviewOutcome/unusable`` also for pictures that need none.
    func make(_ source: PreviewSource, for account: String) async throws -> PreviewOutcome {
        let file = source.asset.file
        guard source.isVideo || PreviewMaker.mayBeBright(source.asset.description.contentType) else {
            return .unusable
        }
        if access(files.frame(of: file), R_OK) == 0 { return .made(nil) }
        let task = making.withLock { making in
            if let task = making[file] { return task }
            let task = Task { try await self.makeNow(source, for: account) }
            making[file] = task
            return task
        }
        return try await task.value
    }

    private func makeNow(_ source: PreviewSource, for account: String) async throws -> PreviewOutcome {
        let file = source.asset.file
        defer { making.withLock { $0[file] = nil } }
        guard let posters = maker.posters else { return source.isVideo ? .undone : .unusable }
        let mapping = ToneMapping(try await source.hdr())
        let draft = files.frameDraft(of: file)
        defer { unlink(draft) }
        let outcome: PreviewOutcome
        if source.isVideo {
            outcome = try await posters.make(
                of: source.asset.description.contentType, at: draft, for: account, mapping: mapping,
                isAhead: source.isAhead
            ) { try await source.store.open(file) }
        } else {
            guard let mapping else { return .unusable }
            outcome = try await maker.makeFrame(of: mapping, at: draft, for: account, isAhead: source.isAhead) {
                try await source.store.open(file)
            }
        }
        guard outcome == .made(nil), rename(draft, files.frame(of: file)) != 0 else { return outcome }
        return .undone
    }
}
