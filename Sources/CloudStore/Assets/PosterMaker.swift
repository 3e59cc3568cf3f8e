import CloudAssets
import CloudEngine
import CloudModel
import Foundation
import NIOCore
import Synchronization

/// Makes pictures of videos with ffmpeg, one process at a time; the previews of a video are made of its picture.
///
/// Videos come from strangers, so the process is a ``ConfinedProgram``. The reader of the container is that of the type that
/// the server found: ffmpeg's own choice would include playlists, which name other files and addresses.
package final class PosterMaker: Sendable {
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    /// Decoders of what browsers play and phones record.
    private static let decoders = "h264,hevc,vp8,vp9,libvpx-vp9,av1,libdav1d,mpeg4,mjpeg,prores,h263"
    /// The largest width and height of a picture, and the number of frames of which the best one is taken.
    private static let (side, frames) = (2048, 24)
    /// The largest video of which a remote store gives a copy.
    private static let mostCopied: Int64 = 2 << 30
    private static let copy = ".source"
    /// The type of a picture whose tones are mapped, as libvips writes it.
    static let pixels = "image/png"

    private let program: ConfinedProgram
    private let queue: FairSemaphore
    private let starts = Atomic(0)
    /// The number of programs started so far.
    package var started: Int { starts.load(ordering: .relaxed) }

    /// - Parameter mostWaiting: the largest number of waiting pictures per account.
    /// - Returns: nil when the program is not installed.
    package convenience init?(mostWaiting: Int) {
        let paths = Self.folders.map { "\($0)/ffmpeg" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.init(mostWaiting: mostWaiting, program: ConfinedProgram(path: path))
    }

    /// - Parameter program: takes the arguments of ffmpeg.
    init(mostWaiting: Int, program: ConfinedProgram, bounds: ConfinedProgram.Bounds = PosterMaker.bounds) {
        var program = program
        program.environment = ["MALLOC_ARENA_MAX": "1"]
        program.bounds = bounds
        program.opensInput = true
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

    /// The name of ffmpeg's reader of a media type; nil for types of which no pictures are made.
    private static func reader(of type: String) -> String? {
        switch type {
        case "video/mp4", "video/quicktime": "mov"
        case "video/webm": "matroska"
        case pixels: "png_pipe"
        default: nil
        }
    }

    /// Returns true for videos of which pictures are made.
    func accepts(_ type: String) -> Bool { type != Self.pixels && Self.reader(of: type) != nil }

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
            let copy = target + Self.copy
            unlink(copy)
            defer { unlink(copy) }
            do {
                guard let input = try await Self.input(video, copy: copy) else { return .unusable }
                let isVideo = type != Self.pixels
                let filter = mapping?.filter(from: isVideo ? .video : .pixels, to: .picture)
                let end = try await make(of: input, by: reader, filter, at: target, isAhead: isAhead)
                guard end == .unusable, filter != nil, isVideo else { return end }
                return try await make(of: input, by: reader, nil, at: target, isAhead: isAhead)
            } catch is AssetStoreFull {
                throw ServerError(
                    .tryAgainLater, "the disk has no room to make a poster in", .server(.disk), retryAfter: 60)
            }
        }
    }

    /// The video as a local file: its own, or a copy of a remote one; nil if it is too large to be copied.
    private static func input(_ video: any AssetReading, copy: String) async throws -> FileHandle? {
        if let file = video.file {
            return FileHandle(
                fileDescriptor: try file.fileHandle().takeDescriptorOwnership(), closeOnDealloc: true)
        }
        guard video.size <= mostCopied else { return nil }
        try await video.copy(to: copy, isSynced: false)
        return try PreviewMaker.open(copy, O_RDONLY)
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
        // Others may have kept it from the processor.
        if end == .tookTooLong, isAhead { return .undone }
        guard end == .exited(0), let made = try FileReader(path: target, slots: FileSlots()),
            try await PreviewMaker.isWhole(made, .jpeg)
        else { return .unusable }
        return .made(nil)
    }

    /// Arguments with which a video on the standard input becomes a JPEG on the standard output.
    ///
    /// The input is opened by its path, as a pipe has no positions, and metadata may be at a video's end.
    private static func arguments(_ reader: String, _ filter: String?) -> [String] {
        let scale = "scale=w='min(\(side),iw)':h='min(\(side),ih)':force_original_aspect_ratio=decrease"
        // Half as many values of color as of brightness need an even size.
        let evenly = filter == nil ? "" : ":force_divisible_by=2"
        let isPixels = reader == "png_pipe"
        let chosen = isPixels ? nil : "\(scale)\(evenly),thumbnail=\(frames)"
        let filters = [chosen, filter].compactMap(\.self).joined(separator: ",")
        let decoders = isPixels ? "png" : decoders
        return [
            "-nostdin", "-v", "quiet", "-protocol_whitelist", "file", "-codec_whitelist", decoders, "-threads", "1",
            "-an", "-sn", "-dn", "-f", reader, "-i", "file:/dev/fd/0", "-map_metadata", "-1",
            "-frames:v", "1", "-vf", filters, "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe",
            "pipe:1",
        ]
    }

    /// Makes a picture of nothing and drops it.
    ///
    /// - Returns: why it could not be made; nil if it was made.
    package func trial() async -> String? {
        guard let output = FileHandle(forWritingAtPath: "/dev/null"),
            let input = FileHandle(forReadingAtPath: "/dev/null")
        else { return "/dev/null cannot be opened" }
        var program = program
        // The rules of Landlock are for files, and not for devices that are allowed anyway.
        program.opensInput = false
        program.arguments = [
            "-nostdin", "-v", "quiet", "-f", "lavfi", "-i", "color=size=16x16", "-frames:v", "1", "-c:v", "mjpeg", "-f",
            "image2pipe", "pipe:1",
        ]
        let end = await program.run(input: input, output: output)
        return end == .exited(0) ? nil : "\(program.path) \(end)"
    }
}
