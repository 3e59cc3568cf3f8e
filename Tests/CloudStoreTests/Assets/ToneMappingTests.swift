import CloudAssets
import CloudMedia
import CloudModel
import Foundation
import TestStore
import Testing

@testable import CloudStore

/// Pictures and videos for bright screens, measured against the photo that they were made of and against what libvips or
/// ffmpeg alone makes of them.
@Suite(.timeLimit(.minutes(5)))
struct ToneMappingTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static func file(_ name: String) -> String {
        tests.appending(path: "Fixtures/hdr/\(name)").standardizedFileURL.path()
    }
    private static let photo = tests.appending(path: "../Samples/photos/astronaut.jpg").standardizedFileURL.path()

    /// How light a picture is, and how much its pixels differ.
    private struct Look: CustomStringConvertible {
        let mean: Double
        let contrast: Double

        var description: String { "\(mean) ± \(contrast)" }

        func distance(to other: Look) -> Double { abs(mean - other.mean) + abs(contrast - other.contrast) }

        init(jpeg path: String, in folder: URL) async throws {
            let target = folder.appending(path: "look").path()
            var program = ConfinedProgram(path: "/usr/bin/ffmpeg")
            program.arguments = [
                "-nostdin", "-v", "quiet", "-f", "mjpeg", "-i", "pipe:0", "-vf", "scale=64:64,format=gray", "-f",
                "rawvideo", "pipe:1",
            ]
            let end = await program.run(
                input: try PreviewMaker.open(path, O_RDONLY),
                output: try PreviewMaker.open(target, O_WRONLY | O_CREAT | O_TRUNC))
            #expect(end == .exited(0))
            let pixels = try Data(contentsOf: URL(filePath: target)).map(Double.init)
            try #require(pixels.count == 64 * 64)
            let mean = pixels.reduce(0, +) / Double(pixels.count)
            self.mean = mean
            contrast = (pixels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(pixels.count)).squareRoot()
        }
    }

    @Test("Each fixture tells its transfer", arguments: ["pq.avif", "hlg.avif", "pq.heic", "hlg.mp4", "pq.webm"])
    func facts(name: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: Self.file(name)))
        let facts = try #require(MediaScan(MemorySource(Array(bytes)))).facts
        #expect(facts.hdr == (name.hasPrefix("pq") ? .pq : .hlg))
        #expect(ToneMapping(facts.hdr) == (name.hasPrefix("pq") ? .pq : .hlg))
    }

    @Test("Only PQ and HLG are mapped") func kinds() {
        #expect(ToneMapping(.standard) == nil && ToneMapping(.gainMap(.iso)) == nil)
    }

    @Test("A picture for bright screens looks like its photo, not flat", arguments: ["pq.avif", "hlg.avif", "pq.heic"])
    func pictures(name: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let maker = try #require(
            PreviewMaker(mostPixels: 1_000_000, mostWaiting: 1, posters: PosterMaker(mostWaiting: 1)))
        let (frame, flat) = (
            attacker.folder.appending(path: "frame").path(), attacker.folder.appending(path: "flat").path()
        )
        let mapping: ToneMapping = name.hasPrefix("pq") ? .pq : .hlg
        let made = try await maker.makeFrame(of: mapping, at: frame, for: "mei", isAhead: false) {
            try FileReader(path: Self.file(name))
        }
        #expect(made == .made(nil))
        let bytes = try Data(contentsOf: URL(filePath: frame))
        #expect(ImageSize([UInt8](bytes), type: "image/jpeg") == ImageSize(width: 160, height: 160))
        let other = try await maker.make(.medium, .jpeg, at: flat, for: "mei") {
            try FileReader(path: Self.file(name))
        }
        #expect(other == .made(nil))
        try await compare(frame, flat, in: attacker)
        let left = try FileManager.default.contentsOfDirectory(atPath: attacker.folder.path())
        #expect(!left.contains { $0.hasSuffix(".pixels") || $0.hasSuffix(".source") }, "\(left)")
    }

    @Test("A poster of a video for bright screens is not gray", arguments: ["hlg.mp4", "pq.webm"])
    func posters(name: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let maker = try #require(PosterMaker(mostWaiting: 1))
        let type = name.hasSuffix("mp4") ? "video/mp4" : "video/webm"
        let (poster, flat) = (
            attacker.folder.appending(path: "poster").path(), attacker.folder.appending(path: "flat").path()
        )
        for (target, mapping) in [(poster, name.hasPrefix("pq") ? ToneMapping.pq : .hlg), (flat, nil)] {
            let made = try await maker.make(of: type, at: target, for: "mei", mapping: mapping) {
                try FileReader(path: Self.file(name))
            }
            #expect(made == .made(nil))
        }
        try await compare(poster, flat, in: attacker)
        #expect(maker.started == 2)
    }

    private func compare(_ mapped: String, _ flat: String, in attacker: Attacker) async throws {
        let folder = attacker.folder
        let photo = try await Look(jpeg: Self.photo, in: folder)
        let (mapped, flat) = (try await Look(jpeg: mapped, in: folder), try await Look(jpeg: flat, in: folder))
        #expect(mapped.contrast > flat.contrast * 1.05, "\(mapped), \(flat)")
        #expect(mapped.distance(to: photo) < flat.distance(to: photo) * 0.8, "\(mapped), \(flat), \(photo)")
    }

    @Test("A video whose tones cannot be mapped has its flat picture, and a picture none") func fallback() async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let maker = try #require(PosterMaker(mostWaiting: 1))
        let film = Self.tests.appending(path: "Fixtures/films/red.mp4").standardizedFileURL.path()
        let target = attacker.folder.appending(path: "poster").path()
        // It tells no primaries, from which there is no way to BT.709.
        let made = try await maker.make(of: "video/mp4", at: target, for: "mei", mapping: .pq) {
            try FileReader(path: film)
        }
        #expect(made == .made(nil) && maker.started == 2)
        let broken = attacker.folder.appending(path: "broken").path()
        try Data("\u{89}PNG\r\n\u{1A}\n".utf8).write(to: URL(filePath: broken))
        let none = try await maker.make(of: PosterMaker.pixels, at: target, for: "mei", mapping: .pq) {
            try FileReader(path: broken)
        }
        #expect(none == .unusable && maker.started == 3)
        let still = try #require(PreviewMaker(mostPixels: 1_000_000, mostWaiting: 1))
        let without = try await still.makeFrame(of: .pq, at: target, for: "mei", isAhead: false) {
            try FileReader(path: Self.file("pq.avif"))
        }
        #expect(without == .unusable && still.started == 0)
    }
}
