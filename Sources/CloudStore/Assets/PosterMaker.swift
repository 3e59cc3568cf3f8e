import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import NIOCore
import Synchronization

/// Makes pictures of videos with ffmpeg, one process at a time; the previews of a video are made of its picture.
///
/// Videos come from strangers, so the process is a ``ConfinedProgram``, which reads them as ``VideoInput`` says.
package final class PosterMaker: Sendable {
    /// The largest width and height of a picture, and the number of frames of which the best one is taken.
    private static let (side, frames) = (2048, 24)
    /// The type of a picture whose tones are mapped, as libvips writes it, and ffmpeg's reader of it.
    static let pixels = "image/png"
    private static let pixelReader = "png_pipe"

    private let program: ConfinedProgram
    private let queue: FairSemaphore
    private let starts = Atomic(0)
    /// The number of programs started so far.
    package var started: Int { starts.load(ordering: .relaxed) }

    /// - Parameter mostWaiting: the largest number of waiting pictures per account.
    /// - Returns: nil when the program is not installed.
    package convenience init?(mostWaiting: Int) {
        guard let program = VideoInput.program else { return nil }
        self.init(mostWaiting: mostWaiting, program: program)
    }

    /// - Parameter program: takes the arguments of ffmpeg.
    init(mostWaiting: Int, program: ConfinedProgram, bounds: ConfinedProgram.Bounds = PosterMaker.bounds) {
        var program = VideoInput.reading(by: program)
        program.bounds = bounds
        self.program = program
        queue = FairSemaphore(places: 1, mostWaiting: mostWaiting) { count in
            ServerError(
                .throttled,
                "\(count) posters of this account's videos wait, at most \(mostWaiting) may (limit.previewsPerAccount)",
                .limit(mostWaiting, "limit.previewsPerAccount"), retryAfter: 5)
        }
    }

    /// The bounds of a program that reads a video.
    static var bounds: ConfinedProgram.Bounds {
        var bounds = ConfinedProgram.Bounds()
        (bounds.seconds, bounds.processorSeconds, bounds.memory) = (60, 60, 1 << 30)
        return bounds
    }

    private static func reader(of type: String) -> String? {
        type == pixels ? pixelReader : VideoInput.reader(of: type)
    }

    /// Returns true for videos of which pictures are made.
    func accepts(_ type: String) -> Bool { VideoInput.reader(of: type) != nil }

    /// Makes a JPEG of a frame from the beginning of a video.
    ///
    /// - Parameters:
    ///   - type: the video's media type, by its first bytes.
    ///   - account: the video's account; each account's pictures are made in turn.
    ///   - mapping: how the tones of a video for bright screens are mapped; one whose tones cannot be stays flat.
    ///   - isAhead: true if nobody waits for the picture.
    ///   - open: opens the video when its turn comes.
    /// - Throws: `THROTTLED` when too many of the account's pictures wait; `TRY_AGAIN_LATER` when the disk is full.
    func make(
        of type: String, at target: String, for account: String, mapping: ToneMapping? = nil, isAhead: Bool = false,
        _ open: () async throws -> (any AssetReading)?
    ) async throws -> PreviewOutcome {
        guard let reader = Self.reader(of: type) else { return .unusable }
        return try await queue.run(for: account) {
            guard let video = try await open() else { return .undone }
            do {
                return try await VideoInput.with(video, beside: target) { input in
                    guard let input else { return .unusable }
                    let isVideo = type != Self.pixels
                    let filter = mapping?.filter(from: isVideo ? .video : .pixels, to: .picture)
                    let end = try await make(of: input, by: reader, filter, at: target, isAhead: isAhead)
                    guard end == .unusable, filter != nil, isVideo else { return end }
                    return try await make(of: input, by: reader, nil, at: target, isAhead: isAhead)
                }
            } catch is AssetStoreFull {
                throw ServerError(
                    .tryAgainLater, "the disk has no room to make a poster in", .server(.disk), retryAfter: 60)
            }
        }
    }

    private func make(
        of input: FileHandle, by reader: String, _ filter: String?, at target: String, isAhead: Bool
    ) async throws -> PreviewOutcome {
        var program = isAhead ? program.ahead : program
        program.arguments = Self.arguments(reader, filter)
        starts.add(1, ordering: .relaxed)
        let end = await program.run(
            input: input, output: try PreviewMaker.open(target, O_WRONLY | O_CREAT | O_TRUNC))
        if case .didNotStart = end { return .undone }
        if let stop = program.stop(end) { return try program.undone(stop) }
        guard end == .exited(0), let made = try FileReader(path: target, slots: FileSlots()),
            try await PreviewMaker.isWhole(made, .jpeg)
        else { return .unusable }
        return .made(nil)
    }

    /// Arguments with which a video on the standard input becomes a JPEG on the standard output.
    private static func arguments(_ reader: String, _ filter: String?) -> [String] {
        let scale = "scale=w='min(\(side),iw)':h='min(\(side),ih)':force_original_aspect_ratio=decrease"
        // Half as many values of color as of brightness need an even size.
        let evenly = filter == nil ? "" : ":force_divisible_by=2"
        let isPixels = reader == pixelReader
        let chosen = isPixels ? nil : "\(scale)\(evenly),thumbnail=\(frames)"
        let filters = [chosen, filter].compactMap(\.self).joined(separator: ",")
        return VideoInput.arguments(
            reader, by: isPixels ? "png" : VideoInput.decoders, threads: 1, without: ["-an"]) + [
                "-map_metadata", "-1", "-frames:v", "1", "-vf", filters, "-c:v", "mjpeg", "-q:v", "3", "-f",
                "image2pipe",
                "pipe:1",
            ]
    }

    /// Makes a picture of nothing and drops it.
    ///
    /// - Returns: why it could not be made; nil if it was made.
    package func trial() async -> String? {
        await VideoInput.trial(
            of: program,
            [
                "-nostdin", "-v", "quiet", "-f", "lavfi", "-i", "color=size=16x16", "-frames:v", "1", "-c:v", "mjpeg",
                "-f", "image2pipe", "pipe:1",
            ])
    }
}
