package import Foundation
import TestProcess

/// Small videos of kinds that no browser makes, by ffmpeg.
package enum FilmSample {
    /// A test picture that moves.
    package static func pictures(_ size: String = "160x120", seconds: Int = 2) -> [String] {
        ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=15:duration=\(seconds)"]
    }

    package static func sound(seconds: Int = 2) -> [String] { ["-f", "lavfi", "-i", "sine=duration=\(seconds)"] }

    package static let hevc = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v", "hvc1",
    ]
    package static let told = [
        "-movflags", "use_metadata_tags", "-metadata", "location=+52.5000+013.4000/", "-metadata",
        "title=Our secret garden",
    ]

    /// HEVC of two seconds with sound, a place and a title, made once.
    package static func hevc() async throws -> Data { try await short.value }

    private static let short = Task { try await hevc(seconds: 2) }

    /// HEVC with sound, a place and a title.
    package static func hevc(_ size: String = "160x120", seconds: Int) async throws -> Data {
        try await make(pictures(size, seconds: seconds) + sound(seconds: seconds) + hevc + told + ["-c:a", "aac"])
    }

    /// What ffmpeg makes by these arguments.
    package static func make(_ arguments: [String], ending: String = "mp4") async throws -> Data {
        try await withFolder { folder in
            let target = folder.appending(path: "film.\(ending)")
            try await run("ffmpeg", ["-nostdin", "-v", "error"] + arguments + [target.path()], output: nil)
            return try Data(contentsOf: target)
        }
    }

    /// What ffprobe says of a video, its metadata among it.
    package static func description(of film: Data) async throws -> String {
        try await withFolder { folder in
            let (source, text) = (folder.appending(path: "film"), folder.appending(path: "text"))
            try film.write(to: source)
            try await run(
                "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-show_chapters", source.path()],
                output: text)
            return try String(contentsOf: text, encoding: .utf8)
        }
    }

    /// Thrown when ffmpeg cannot make or read a video.
    package struct Failed: Error {}

    private static func run(_ program: String, _ arguments: [String], output: URL?) async throws {
        let null = FileHandle.nullDevice
        if let output { _ = FileManager.default.createFile(atPath: output.path(), contents: nil) }
        let out = try output.map { try FileHandle(forWritingTo: $0) } ?? null
        let child = try ChildProcess(
            URL(filePath: "/usr/bin/\(program)"), arguments, environment: [:],
            streams: (null.fileDescriptor, out.fileDescriptor, null.fileDescriptor), bound: 120)
        guard await child.end() == 0 else { throw Failed() }
    }

    private static func withFolder<T>(_ body: (URL) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
