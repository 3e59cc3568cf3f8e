import CloudAssets
import CloudEngine
import Foundation
import NIOCore

/// How ffmpeg reads videos of strangers.
///
/// The reader of the container is that of the type that the server found: ffmpeg's own choice would include playlists, which
/// name other files and addresses.
enum VideoInput {
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]
    /// Decoders of what browsers play and phones record.
    static let decoders =
        "h264,hevc,vp8,vp9,libvpx-vp9,av1,libdav1d,mpeg4,mjpeg,prores,h263,aac,mp3,mp3float,opus,libopus,vorbis,flac,alac,"
        + "ac3,eac3,amrnb,amrwb,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_f32le,pcm_mulaw,pcm_alaw"
    /// The largest video of which a remote store gives a copy.
    private static let mostCopied: Int64 = 2 << 30
    private static let copy = ".source"

    /// ffmpeg, where it is installed.
    static var program: ConfinedProgram? {
        let paths = folders.map { "\($0)/ffmpeg" }
        return paths.first { access($0, X_OK) == 0 }.map(ConfinedProgram.init(path:))
    }

    /// A program as one that reads videos.
    static func reading(by program: ConfinedProgram) -> ConfinedProgram {
        var program = program
        program.environment = ["MALLOC_ARENA_MAX": "1"]
        program.opensInput = true
        return program
    }

    /// The name of ffmpeg's reader of a media type; nil for types that it does not read.
    static func reader(of type: String) -> String? {
        switch type {
        case "video/mp4", "video/quicktime": "mov"
        case "video/webm": "matroska"
        default: nil
        }
    }

    /// Arguments with which ffmpeg reads the video on its standard input, without subtitles and data.
    ///
    /// The input is opened by its path, as a pipe has no positions, and metadata may be at a video's end.
    ///
    /// - Parameter decoders: the names of the decoders that may run.
    static func arguments(
        _ reader: String, by decoders: String = decoders, threads: Int, without: [String] = []
    ) -> [String] {
        [
            "-nostdin", "-v", "quiet", "-protocol_whitelist", "file", "-codec_whitelist", decoders, "-threads",
            String(threads),
        ] + without + ["-sn", "-dn", "-f", reader, "-i", "file:/dev/fd/0"]
    }

    /// Runs a program on no input, and drops its output.
    ///
    /// - Returns: why it failed; nil if it succeeded.
    static func trial(of program: ConfinedProgram, _ arguments: [String]) async -> String? {
        guard let output = FileHandle(forWritingAtPath: "/dev/null"),
            let input = FileHandle(forReadingAtPath: "/dev/null")
        else { return "/dev/null cannot be opened" }
        var program = program
        // The rules of Landlock are for files, and not for devices that are allowed anyway.
        program.opensInput = false
        program.arguments = arguments
        let end = await program.run(input: input, output: output)
        return end == .exited(0) ? nil : "\(program.path) \(end)"
    }

    /// Calls `body` with a video as a local file: its own, or a copy of a remote one; nil if it is too large to be copied.
    static func with<T>(
        _ video: any AssetReading, beside target: String, _ body: (FileHandle?) async throws -> T
    ) async throws -> T {
        if let file = video.file {
            let descriptor = try file.fileHandle().takeDescriptorOwnership()
            return try await body(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
        }
        guard video.size <= mostCopied else { return try await body(nil) }
        let copy = target + copy
        // A crash may have left one.
        unlink(copy)
        defer { unlink(copy) }
        try await video.copy(to: copy, isSynced: false)
        return try await body(try PreviewMaker.open(copy, O_RDONLY))
    }
}
