import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import NIOPosix
import Synchronization

/// Makes films that every browser plays of videos that some cannot play, with ffmpeg, one process at a time.
///
/// Videos come from strangers, so the process is a ``ConfinedProgram``, which reads them as ``VideoInput`` says.
package final class FilmMaker: Sendable {
    /// Seconds of the longest video of which films are made.
    package static let mostSeconds = 20 * 60
    /// Bytes of a second of film, as the disk has to have room for.
    private static let bytesPerSecond: Int64 = 700_000
    /// Bytes of the disk that a film leaves free.
    private static let leftFree: Int64 = 64 << 20
    /// Bytes without which a disk counts as full.
    private static let leastFree: Int64 = 4 << 20

    private let program: ConfinedProgram
    private let bounds: @Sendable (Int) -> ConfinedProgram.Bounds
    private let mostWaiting: Int
    private let queue: FairSemaphore
    /// Films of each account that are made or wait.
    private let open = Mutex<[String: Int]>([:])
    /// What is being made, of all environments.
    let state = Mutex(FilmState())
    let now: Now
    private let starts = Atomic(0)
    /// The number of programs started so far.
    package var started: Int { starts.load(ordering: .relaxed) }

    /// - Parameter mostWaiting: the largest number of unfinished films per account.
    /// - Returns: nil when the program is not installed.
    package convenience init?(mostWaiting: Int) {
        guard let program = VideoInput.program else { return nil }
        self.init(mostWaiting: mostWaiting, program: program)
    }

    /// - Parameters:
    ///   - program: takes the arguments of ffmpeg.
    ///   - bounds: the bounds of a program that makes a film of some seconds.
    ///   - now: the clock of the pauses between attempts.
    init(
        mostWaiting: Int, program: ConfinedProgram,
        bounds: @escaping @Sendable (Int) -> ConfinedProgram.Bounds = FilmMaker.bounds,
        now: @escaping Now = Timestamp.now
    ) {
        // It gives way to all that somebody waits for.
        self.program = VideoInput.reading(by: program).ahead
        self.mostWaiting = mostWaiting
        (self.bounds, self.now) = (bounds, now)
        // Who may wait is settled by `enter`.
        queue = FairSemaphore(places: 1, mostWaiting: .max) { count in
            ServerError(.throttled, "\(count) films wait", .limit(count), retryAfter: 60)
        }
    }

    /// The bounds of a program that makes a film of some seconds. Slow processors take a few seconds for each, and others
    /// may keep it from the processor.
    @Sendable static func bounds(seconds: Int) -> ConfinedProgram.Bounds {
        var bounds = ConfinedProgram.Bounds()
        (bounds.seconds, bounds.processorSeconds) = (Int32(180 + 9 * seconds), Int32(120 + 6 * seconds))
        bounds.memory = 1536 << 20
        bounds.output = FragmentedFilm.room(seconds: seconds) + Int64(seconds + 30) * (1 << 20)
        return bounds
    }

    /// Counts an account's film until ``leave(_:)``.
    ///
    /// - Throws: `THROTTLED` when too many of the account's films are unfinished.
    func enter(_ account: String) throws {
        try open.withLock { open in
            let count = open[account] ?? 0
            guard count < mostWaiting else {
                throw ServerError(
                    .throttled,
                    "\(count) films of this account's videos wait or are made, at most \(mostWaiting) may "
                        + "(limit.filmsPerAccount)", .limit(mostWaiting, "limit.filmsPerAccount"), retryAfter: 60)
            }
            open[account] = count + 1
        }
    }

    func leave(_ account: String) {
        open.withLock { open in
            let count = (open[account] ?? 0) - 1
            open[account] = count > 0 ? count : nil
        }
    }

    /// Makes a film of a video.
    ///
    /// - Parameters:
    ///   - type: the video's media type, by its first bytes.
    ///   - account: the video's account; each account's films are made in turn.
    ///   - mapping: how the tones of a video for bright screens are mapped; a film whose tones cannot be stays flat.
    ///   - open: opens the video when its turn comes.
    /// - Throws: `TRY_AGAIN_LATER` when the disk is full; ``ProgramStop``.
    func make(
        of type: String, at target: String, for account: String, mapping: ToneMapping? = nil, _ progress: FilmProgress,
        _ open: () async throws -> (any AssetReading)?
    ) async throws -> PreviewOutcome {
        guard let reader = VideoInput.reader(of: type) else { return .unusable }
        return try await queue.run(for: account) {
            guard let video = try await open() else { return .undone }
            guard Self.free(target) > Self.leftFree + Int64(progress.seconds) * Self.bytesPerSecond else {
                throw Self.fullDisk
            }
            do {
                return try await VideoInput.with(video, beside: target) { input in
                    guard let input else { return .unusable }
                    let end = try await make(of: input, by: reader, mapping, at: target, progress)
                    guard end == .unusable, mapping != nil else { return end }
                    return try await make(of: input, by: reader, nil, at: target, progress)
                }
            } catch is AssetStoreFull {
                throw Self.fullDisk
            }
        }
    }

    private func make(
        of input: FileHandle, by reader: String, _ mapping: ToneMapping?, at target: String, _ progress: FilmProgress
    ) async throws -> PreviewOutcome {
        var program = program
        program.bounds = bounds(progress.seconds)
        program.arguments = FilmRecipe.arguments(reader, seconds: progress.seconds, mapping)
        let output = try PreviewMaker.open(target, O_RDWR | O_CREAT | O_TRUNC)
        try output.seek(toOffset: UInt64(FragmentedFilm.room(seconds: progress.seconds)))
        progress.begin(output)
        starts.add(1, ordering: .relaxed)
        let end = await program.run(input: input, output: output)
        progress.end()
        if case .didNotStart = end { return .undone }
        if let stop = program.stop(end) { throw stop }
        let isWhole = try await NIOThreadPool.singleton.runIfActive { end == .exited(0) && progress.finish(output) }
        if isWhole { return .made(nil) }
        guard Self.free(target) > Self.leastFree else { throw Self.fullDisk }
        return .unusable
    }

    private static var fullDisk: ServerError {
        ServerError(.tryAgainLater, "the disk has no room to make a film in", .server(.disk), retryAfter: 60)
    }

    /// Free bytes on a file's disk; the largest number if unknown.
    private static func free(_ path: String) -> Int64 {
        var status = statvfs()
        guard statvfs((path as NSString).deletingLastPathComponent, &status) == 0 else { return .max }
        let bytes = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
    }

    /// Makes a film of nothing and drops it.
    ///
    /// - Returns: why it could not be made; nil if it was made.
    package func trial() async -> String? {
        var program = program
        program.bounds = bounds(1)
        return await VideoInput.trial(of: program, FilmRecipe.trial)
    }
}
