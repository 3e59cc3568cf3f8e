import CloudAssets
import CloudModel
import Foundation
import TestAssets
import TestStore
import Testing

@testable import CloudStore

/// Films of videos that browsers cannot play, made by ffmpeg and by programs that fail.
@Suite(.timeLimit(.minutes(5)))
struct FilmMakerTests {
    /// Makes a film in a folder, and returns it; nothing else stays.
    private func make(
        of bytes: Data, _ type: String = "video/mp4", seconds: Int = 2, in attacker: Attacker, _ maker: FilmMaker? = nil
    ) async throws -> (outcome: PreviewOutcome, film: Data) {
        let maker = try #require(maker ?? FilmMaker(mostWaiting: 1))
        let source = attacker.folder.appending(path: "video").path()
        let target = attacker.folder.appending(path: "film").path()
        try bytes.write(to: URL(filePath: source))
        let outcome = try await maker.make(of: type, at: target, for: "mei", FilmProgress(seconds: seconds)) {
            try FileReader(path: source)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: attacker.folder.path())
        #expect(!left.contains("film.source"))
        return (outcome, FileManager.default.contents(atPath: target) ?? Data())
    }

    private static func has(_ film: Data, _ text: String) -> Bool { film.range(of: Data(text.utf8)) != nil }

    @Test("A film has H.264 and AAC, its index in front, the video's length, and nothing that the video tells")
    func film() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let video = try await FilmSample.hevc(seconds: 3)
        #expect(Self.has(video, "+52.5") && Self.has(video, "secret garden"))
        let (outcome, film) = try await make(of: video, seconds: 3, in: attacker)
        #expect(outcome == .made(nil))
        for text in ["+52.5", "+013.4", "secret"] {
            #expect(!Self.has(film, text), "\(text)")
        }
        let index = try #require(film.range(of: Data("moov".utf8))).lowerBound
        let data = try #require(film.range(of: Data("mdat".utf8))).lowerBound
        #expect(ContentType.sniff([UInt8](film.prefix(64))) == "video/mp4" && index < data)
        let text = try await FilmSample.description(of: film)
        for line in [
            "codec_name=h264", "codec_name=aac", "pix_fmt=yuv420p", "width=160", "height=120", "nb_frames=45",
            "duration=3.0",
        ] { #expect(text.contains(line), "\(line)") }
        #expect(!text.contains("TAG:location") && !text.contains("TAG:title"))
    }

    @Test(
        "A film fits into 1,920 × 1,080 pixels upright or not, has even sides, and is no larger than the video",
        arguments: [
            ("2560x1440", "1920", "1080"), ("1440x2560", "1080", "1920"), ("3000x1000", "1920", "640"),
            ("100x76", "100", "76"), ("1200x1200", "1080", "1080"), ("63x47", "62", "46"),
        ])
    func sizes(size: String, width: String, height: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let video = try await FilmSample.make(
            FilmSample.pictures(size, seconds: 1)
                + ["-frames:v", "3", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv444p"])
        let (outcome, film) = try await make(of: video, seconds: 1, in: attacker)
        #expect(outcome == .made(nil))
        let text = try await FilmSample.description(of: film)
        #expect(text.contains("width=\(width)\n") && text.contains("height=\(height)\n"), "\(text)")
    }

    @Test("A video that was held upright has an upright film without a rotation") func turned() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        var video = try await FilmSample.hevc()
        let matrix = try #require(video.range(of: Data("tkhd".utf8))).upperBound + 40
        let turn: [UInt32] = [0, 0x10000, 0, UInt32(bitPattern: -0x10000), 0, 0, 0, 0, 0x4000_0000]
        let bytes = turn.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        video.replaceSubrange(matrix..<matrix + 36, with: bytes)
        let film = try await make(of: video, in: attacker).film
        let text = try await FilmSample.description(of: film)
        #expect(text.contains("width=120\n") && text.contains("height=160\n") && !text.contains("rotation"))
    }

    @Test("Videos without sound, with sound of other kinds and with subtitles have films") func kinds() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let silent = try await FilmSample.make(FilmSample.pictures() + ["-c:v", "mpeg4"])
        let raw = try await FilmSample.make(
            FilmSample.pictures() + FilmSample.sound() + ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], ending: "mov")
        for (video, tracks) in [(silent, 1), (raw, 2)] {
            let (outcome, film) = try await make(of: video, in: attacker)
            #expect(outcome == .made(nil))
            #expect(try await FilmSample.description(of: film).components(separatedBy: "[/STREAM]").count == tracks + 1)
        }
    }

    @Test("A video that is longer than it says is cut") func long() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let (outcome, film) = try await make(of: try await FilmSample.hevc(seconds: 6), seconds: 2, in: attacker)
        #expect(outcome == .made(nil))
        #expect(try await FilmSample.description(of: film).contains("duration=3.0"))
    }

    @Test(
        "A program that crashes, hangs, writes too much, nothing or no film fails for one video alone",
        arguments: ["crash", "fall", "hang", "fill", "memory", "lie", "nothing", "unknown"])
    func failures(way: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-\(way)").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        let bad = FilmMaker(mostWaiting: 1, program: ConfinedProgram(path: link)) { _ in
            var bounds = ConfinedProgram.Bounds()
            (bounds.seconds, bounds.memory, bounds.output) = (way == "hang" ? 1 : 20, 64 << 20, 1 << 20)
            return bounds
        }
        if way == "hang" {
            await #expect(throws: ProgramStop.self) { try await make(of: Data("x".utf8), in: attacker, bad) }
        } else {
            let outcome = try await make(of: Data("x".utf8), in: attacker, bad).outcome
            #expect(outcome == .unusable)
        }
        #expect(bad.started == 1)
    }

    @Test("A program that is missing says nothing of the video, and other types start none") func missing() async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let missing = FilmMaker(mostWaiting: 1, program: ConfinedProgram(path: "/nowhere/ffmpeg"))
        let outcome = try await make(of: Data("x".utf8), in: attacker, missing).outcome
        #expect(outcome == .undone)
        #expect(await missing.trial() == "/nowhere/ffmpeg cannot be started: No such file or directory")
        let maker = try #require(FilmMaker(mostWaiting: 1))
        #expect(await maker.trial() == nil)
        let started = maker.started
        let other = try await make(of: Data("#EXTM3U\n".utf8), "text/plain; charset=utf-8", in: attacker, maker).outcome
        #expect(other == .unusable && maker.started == started)
    }

    @Test("Broken videos and playlists have no film") func broken() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let video = try await FilmSample.hevc()
        let head = Data([0, 0, 0, 24]) + Data("ftypisom\0\0\u{2}\0isommp42".utf8)
        for bytes in [
            Data(), video.prefix(100), head + Data("#EXTM3U\n#EXTINF:1,\nfile:/etc/passwd\n".utf8),
            video.replacing(Data("hvc1".utf8), with: Data("none".utf8)),
        ] {
            let (outcome, _) = try await make(of: Data(bytes), in: attacker)
            #expect(outcome == .unusable, "\(bytes.count)")
        }
    }

    @Test("An account's unfinished films are bounded, and the refusal names the bound") func bounded() throws {
        let maker = FilmMaker(mostWaiting: 2, program: ConfinedProgram(path: "/nowhere/ffmpeg"))
        try maker.enter("mei")
        try maker.enter("mei")
        let refusal = #expect(throws: ServerError.self) { try maker.enter("mei") }
        #expect(refusal?.code == .throttled)
        #expect(refusal?.reason.contains("at most 2 may (limit.filmsPerAccount)") == true)
        try maker.enter("ben")
        maker.leave("mei")
        try maker.enter("mei")
    }

    @Test("Fragments that lie are no film, and none of them stops the program") func fragments() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let path = attacker.folder.appending(path: "fragments").path()
        let room = Int(FragmentedFilm.room(seconds: 1))
        let whole = try await FilmSample.make(
            FilmSample.pictures(seconds: 1) + [
                "-c:v", "libx264", "-preset", "ultrafast", "-movflags",
                "empty_moov+default_base_moof+frag_keyframe+skip_trailer+skip_sidx",
            ])
        var generator = SystemRandomNumberGenerator()
        let headers = try #require(whole.range(of: Data("mdat".utf8))).upperBound
        func finishes(_ bytes: Data) throws -> Bool {
            try (Data(count: room) + bytes).write(to: URL(filePath: path))
            var film = FragmentedFilm(room: Int64(room))
            return (try? film.finish(try #require(FileHandle(forUpdatingAtPath: path)))) != nil
        }
        #expect(try finishes(whole))
        for length in stride(from: 0, to: headers, by: 37) {
            #expect(try !finishes(Data(whole.prefix(length))), "\(length)")
        }
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let at = bytes.startIndex + Int.random(in: 0..<headers, using: &generator)
                bytes[at] = [0, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement()!
            }
            _ = try finishes(bytes)
        }
    }
}
