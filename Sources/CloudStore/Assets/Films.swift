package import CloudAssets
import CloudMedia
import CloudModel
import Foundation
import NIOPosix
import Synchronization

/// What there is of the film of a video.
package enum FilmAnswer: Sendable {
    case made(any AssetReading)
    /// The part of it that has been made, from 0 to 1; nil while it waits.
    case making(Double?)
    case none(FilmRefusal)
}

/// A reason why there is no film of a file.
package enum FilmRefusal: Hashable, Sendable {
    case notMadeHere, noVideo, unknownLength, tooLong, unusable
}

/// Films of one environment's videos, made on first request and kept on disk beside the previews.
final class Films: Sendable {
    /// A film that waits or is made.
    private final class Job: Sendable {
        let progress: FilmProgress
        /// True once the video has been deleted.
        let isForgotten = Atomic(false)

        init(seconds: Int) { progress = FilmProgress(seconds: seconds) }
    }

    private struct State {
        var jobs: [AssetFile: (job: Job, task: Task<Void, Never>)] = [:]
        /// Videos that cannot become films; remembered to avoid repeated attempts.
        var refused = BoundedCache<AssetFile, Void>(capacity: 100_000)
        /// Failures that say nothing of the video, for the next who asks.
        var troubles = BoundedCache<AssetFile, ServerError>(capacity: 1000)
    }

    private let files: PreviewFiles
    private let maker: FilmMaker
    private let slots: FileSlots
    private let state = Mutex(State())

    init(files: PreviewFiles, maker: FilmMaker, slots: FileSlots) {
        (self.files, self.maker, self.slots) = (files, maker, slots)
    }

    /// The videos whose films wait or are made.
    var making: Set<AssetFile> { state.withLock { Set($0.jobs.keys) } }

    /// The film of a video, or how far it has come.
    ///
    /// - Parameters:
    ///   - begins: true to begin it, if that has not been done.
    ///   - account: gives the video's account; called only to make a new film.
    /// - Throws: `THROTTLED` when too many of the account's films are unfinished; `TRY_AGAIN_LATER` when an attempt failed
    ///   for a reason that lies with the server.
    func film(
        of asset: AssetTable.Row, _ facts: FileFacts?, in store: any AssetStore, begins: Bool,
        account: @Sendable () async throws -> String
    ) async throws -> FilmAnswer {
        let file = asset.file
        if let answer = try await known(file) { return answer }
        if let refusal = Self.refusal(asset, facts) { return .none(refusal) }
        guard begins else { return .making(nil) }
        let owner = try await account()
        try files.makeFolder()
        let seconds = Self.seconds(facts)
        try state.withLock { state in
            // It may have been made, or refused, meanwhile.
            guard state.jobs[file] == nil, !state.refused.contains(file), !isMade(file) else { return }
            try maker.enter(owner)
            let job = Job(seconds: seconds)
            // A task of its own: whoever asked does not wait.
            let task = Task.detached(priority: .low) { [self] in
                await make(asset, job, for: owner) { try await store.open(file) }
            }
            state.jobs[file] = (job, task)
        }
        return try await known(file) ?? .making(nil)
    }

    /// Returns when all films that have been begun have ended.
    func finished() async {
        for task in state.withLock({ $0.jobs.values.map(\.task) }) { await task.value }
    }

    private func isMade(_ file: AssetFile) -> Bool { access(files.film(of: file), R_OK) == 0 }

    /// What there is without doing anything; nil if a film may be begun.
    private func known(_ file: AssetFile) async throws -> FilmAnswer? {
        if let film = try FileReader(path: files.film(of: file), slots: slots) { return .made(film) }
        let (job, isRefused) = try state.withLock { state in
            if let trouble = state.troubles[file] {
                state.troubles[file] = nil
                throw trouble
            }
            return (state.jobs[file]?.job, state.refused.contains(file))
        }
        if isRefused { return .none(.unusable) }
        guard let job else { return nil }
        return .making(try await NIOThreadPool.singleton.runIfActive { job.progress.share() })
    }

    private static func seconds(_ facts: FileFacts?) -> Int {
        guard let duration = facts?.duration, duration > .zero else { return 0 }
        return Int(clamping: duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0))
    }

    private static func refusal(_ asset: AssetTable.Row, _ facts: FileFacts?) -> FilmRefusal? {
        guard VideoInput.reader(of: asset.description.contentType) != nil else { return .noVideo }
        let seconds = seconds(facts)
        if seconds == 0 { return .unknownLength }
        if seconds > FilmMaker.mostSeconds { return .tooLong }
        return facts?.size == nil ? .noVideo : nil
    }

    private func make(
        _ asset: AssetTable.Row, _ job: Job, for account: String, _ open: () async throws -> (any AssetReading)?
    ) async {
        let (file, draft) = (asset.file, files.filmDraft(of: asset.file))
        var trouble: ServerError?
        var outcome = PreviewOutcome.undone
        do {
            outcome = try await maker.make(
                of: asset.description.contentType, at: draft, for: account, job.progress, open)
        } catch {
            trouble = error as? ServerError
        }
        state.withLock { state in
            if outcome == .made(nil), !job.isForgotten.load(ordering: .sequentiallyConsistent) {
                if rename(draft, files.film(of: file)) != 0 { outcome = .undone }
            }
            switch outcome {
            case .made: break
            case .unusable: state.refused.insert(file)
            case .undone:
                state.troubles[file] =
                    trouble
                    ?? ServerError(
                        .tryAgainLater, "the program that makes films cannot be started", .server(.fault),
                        retryAfter: 60)
            }
            state.jobs[file] = nil
        }
        unlink(draft)
        maker.leave(account)
    }

    /// Drops the film of a deleted video when it is made.
    func forget(_ file: AssetFile) {
        state.withLock { $0.jobs[file]?.job.isForgotten.store(true, ordering: .sequentiallyConsistent) }
    }
}
