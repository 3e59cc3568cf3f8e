package import CloudAssets
import CloudMedia
import CloudModel
import Foundation
import NIOPosix
import Synchronization

/// The state of a video's film.
package enum FilmAnswer: Sendable {
    case made(any AssetReading)
    /// The finished part, from 0 to 1; nil while the film waits.
    case making(Double?)
    case none(FilmRefusal)
}

/// A reason why there is no film of a file.
package enum FilmRefusal: Hashable, Sendable {
    case notMadeHere, noVideo, unknownLength, tooLong, unusable
}

/// Films of one environment's videos, made on first request and kept on disk beside the previews.
///
/// What is being made is known to the maker, as an environment may be closed and opened meanwhile.
final class Films: Sendable {
    private let files: PreviewFiles
    private let maker: FilmMaker
    private let slots: FileSlots
    private let room: PreviewRoom

    init(files: PreviewFiles, maker: FilmMaker, slots: FileSlots, room: PreviewRoom) {
        (self.files, self.maker, self.slots, self.room) = (files, maker, slots, room)
    }

    /// The videos whose films wait or are made.
    var making: Set<AssetFile> {
        maker.state.withLock { state in Set(state.jobs.keys.filter { $0.folder == files.folder }.map(\.file)) }
    }

    private func key(_ file: AssetFile) -> FilmState.Key { FilmState.Key(folder: files.folder, file: file) }

    /// The film of a video, or how far it has come.
    ///
    /// - Parameters:
    ///   - begins: true to begin a missing film.
    ///   - account: gives the video's account; called only to make a new film.
    /// - Throws: `THROTTLED` when too many of the account's films are unfinished; `TRY_AGAIN_LATER` when an attempt failed
    ///   for a reason that lies with the server, and in the pause after one that took too long.
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
        let key = key(file)
        try maker.state.withLock { state in
            // It may have been made, or refused, meanwhile.
            guard state.jobs[key] == nil, !state.refused.contains(key), !isMade(file),
                state.pauses.refusal(key, at: maker.now()) == nil
            else { return }
            try maker.enter(owner)
            let job = FilmState.Job(seconds: seconds)
            // A task of its own: whoever asked does not wait.
            let task = Task.detached(priority: .low) { [self] in
                await make(asset, job, for: owner, mapping: facts.flatMap { ToneMapping($0.hdr) }) {
                    try await store.open(file)
                }
            }
            state.jobs[key] = (job, task)
        }
        return try await known(file) ?? .making(nil)
    }

    /// Returns when all films that have been begun have ended.
    func finished() async {
        for task in maker.state.withLock({ $0.jobs.values.map(\.task) }) { await task.value }
    }

    private func isMade(_ file: AssetFile) -> Bool { access(files.film(of: file), R_OK) == 0 }

    /// What there is without doing anything; nil if a film may be begun.
    private func known(_ file: AssetFile) async throws -> FilmAnswer? {
        if let film = try FileReader(path: files.film(of: file), slots: slots) { return .made(film) }
        let key = key(file)
        let (job, isRefused) = try maker.state.withLock { state in
            if let trouble = state.troubles[key] {
                state.troubles[key] = nil
                throw trouble
            }
            let job = state.jobs[key]?.job
            if job == nil, let refusal = state.pauses.refusal(key, at: maker.now()) { throw refusal }
            return (job, state.refused.contains(key))
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
        _ asset: AssetTable.Row, _ job: FilmState.Job, for account: String, mapping: ToneMapping?,
        _ open: () async throws -> (any AssetReading)?
    ) async {
        let (file, draft) = (asset.file, files.filmDraft(of: asset.file))
        var trouble: (any Error)?
        var outcome = PreviewOutcome.undone
        do {
            outcome = try await maker.make(
                of: asset.description.contentType, at: draft, for: account, mapping: mapping, job.progress, open)
        } catch {
            trouble = error
        }
        let key = key(file)
        maker.state.withLock { state in
            if outcome == .made(nil), !job.isForgotten.load(ordering: .sequentiallyConsistent) {
                if rename(draft, files.film(of: file)) != 0 { outcome = .undone }
            }
            switch outcome {
            case .made: state.pauses.end(key)
            case .unusable:
                state.refused.insert(key)
                state.pauses.end(key)
            case .undone:
                if let stop = trouble as? ProgramStop {
                    state.pauses.begin(key, stop, at: maker.now())
                } else {
                    state.troubles[key] = trouble as? ServerError ?? Self.notBegun
                }
            }
            // The next attempt writes to the same place.
            unlink(draft)
            state.jobs[key] = nil
        }
        maker.leave(account)
        if case .made = outcome { await room.add(files.film(of: file)) }
    }

    private static var notBegun: ServerError {
        ServerError(.tryAgainLater, "a film of this video could not be begun", .server(.fault), retryAfter: 60)
    }

    /// Drops the film of a deleted video when it is made.
    func forget(_ file: AssetFile) {
        maker.state.withLock { $0.jobs[key(file)]?.job.isForgotten.store(true, ordering: .sequentiallyConsistent) }
    }
}
