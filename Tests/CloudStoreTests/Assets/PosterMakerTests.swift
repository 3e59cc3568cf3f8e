import CloudAssets
import CloudModel
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// Pictures of videos, made by ffmpeg and by programs that fail, and of videos that attack.
@Suite(.timeLimit(.minutes(5)))
struct PosterMakerTests {
    private static let films = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/films").standardizedFileURL

    private static func film(_ name: String) throws -> Data { try Data(contentsOf: films.appending(path: name)) }

    /// Makes a picture in a folder, and returns it; nothing else stays.
    private func make(
        of bytes: Data, _ type: String, in attacker: Attacker, _ maker: PosterMaker? = nil
    ) async throws -> (outcome: PreviewOutcome, picture: [UInt8]) {
        let maker = try #require(maker ?? PosterMaker(mostWaiting: 1))
        let source = attacker.folder.appending(path: "film").path()
        let target = attacker.folder.appending(path: "poster").path()
        try bytes.write(to: URL(filePath: source))
        let outcome = try await maker.make(of: type, at: target, for: "mei") { try FileReader(path: source) }
        let left = try FileManager.default.contentsOfDirectory(atPath: attacker.folder.path())
        #expect(!left.contains("poster.source"))
        return (outcome, [UInt8](FileManager.default.contents(atPath: target) ?? Data()))
    }

    @Test(
        "A video has a picture, wherever its metadata is",
        arguments: [("red.mp4", "video/mp4"), ("red.mp4", "video/quicktime"), ("blue.webm", "video/webm")])
    func films(name: String, type: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let (outcome, picture) = try await make(of: try Self.film(name), type, in: attacker)
        #expect(outcome == .made(nil))
        #expect(ImageSize(picture, type: "image/jpeg") == ImageSize(width: 320, height: 240))
        let maker = try #require(PreviewMaker(mostPixels: 1_000_000, mostWaiting: 1))
        let tile = try await maker.make(
            .tile, .jpeg, at: attacker.folder.appending(path: "tile").path(), for: "mei", findsColor: true
        ) { try FileReader(path: attacker.folder.appending(path: "poster").path()) }
        guard case .made(let found?) = tile else { throw CancellationError() }
        let (red, blue) = (found.number >> 4, found.number & 3)
        #expect(name.hasPrefix("red") ? red > blue : blue > red)
    }

    @Test("A video that was held upright has an upright picture") func turned() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        var film = try Self.film("red.mp4")
        let matrix = try #require(film.range(of: Data("tkhd".utf8))).upperBound + 40
        let turn: [UInt32] = [0, 0x10000, 0, UInt32(bitPattern: -0x10000), 0, 0, 0, 0, 0x4000_0000]
        let bytes = turn.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        film.replaceSubrange(matrix..<matrix + 36, with: bytes)
        let picture = try await make(of: film, "video/mp4", in: attacker).picture
        #expect(ImageSize(picture, type: "image/jpeg") == ImageSize(width: 240, height: 320))
    }

    @Test(
        "A program that crashes, hangs, writes too much, nothing or no picture fails for one video alone",
        arguments: ["crash", "fall", "hang", "fill", "memory", "lie", "nothing", "unknown"])
    func failures(way: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-\(way)").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        var bounds = PosterMaker.bounds
        (bounds.seconds, bounds.memory, bounds.output) = (way == "hang" ? 1 : 20, 64 << 20, 1 << 20)
        let bad = PosterMaker(mostWaiting: 1, program: ConfinedProgram(path: link), bounds: bounds)
        if way == "hang" {
            await #expect(throws: ProgramStop.tookTooLong(seconds: 1)) {
                try await make(of: try Self.film("red.mp4"), "video/mp4", in: attacker, bad)
            }
        } else {
            let failed = try await make(of: try Self.film("red.mp4"), "video/mp4", in: attacker, bad).outcome
            #expect(failed == .unusable)
        }
        let made = try await make(of: try Self.film("red.mp4"), "video/mp4", in: attacker).outcome
        #expect(made == .made(nil))
    }

    @Test("A program that is missing says nothing of the video, and other types start none") func missing() async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let missing = PosterMaker(mostWaiting: 1, program: ConfinedProgram(path: "/nowhere/ffmpeg"))
        let outcome = try await make(of: try Self.film("red.mp4"), "video/mp4", in: attacker, missing).outcome
        #expect(outcome == .undone)
        #expect(await missing.trial() == "/nowhere/ffmpeg cannot be started: No such file or directory")
        let maker = try #require(PosterMaker(mostWaiting: 1))
        #expect(await maker.trial() == nil)
        let started = maker.started
        for type in ["video/x-msvideo", "image/jpeg", "text/plain; charset=utf-8", "application/octet-stream"] {
            let outcome = try await make(of: Data("#EXTM3U\n".utf8), type, in: attacker, maker).outcome
            #expect(outcome == .unusable && !maker.accepts(type))
        }
        #expect(maker.started == started)
    }

    @Test("Broken videos have no picture") func broken() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let film = try Self.film("red.mp4")
        let blind = film.replacing(Data("avc1".utf8), with: Data("none".utf8))
        let hollow = film.replacing(Data("mdat".utf8), with: Data("free".utf8)).prefix(170)
        for bytes in [Data(), film.prefix(100), film.prefix(500), blind, hollow, Data(repeating: 0xA5, count: 100_000)]
        {
            for type in ["video/mp4", "video/webm"] {
                let outcome = try await make(of: Data(bytes), type, in: attacker).outcome
                #expect(outcome == .unusable, "\(bytes.count) \(type)")
            }
        }
    }

    @Test("Playlists, lists and other files that name files and addresses are not followed") func attacks() async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let listener = try Listener()
        let address = "http://127.0.0.1:\(listener.port)/film.mp4"
        let secret = attacker.folder.appending(path: "secret.mp4").path()
        try Self.film("red.mp4").write(to: URL(filePath: secret))
        let texts = ["file:\(secret)", address, "concat:\(secret)|subfile,,start,0,end,0,,:\(secret)"].flatMap {
            target in
            [
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(target)\n#EXT-X-ENDLIST\n",
                "ffconcat version 1.0\nfile '\(target)'\n",
                "<?xml version=\"1.0\"?><MPD type=\"static\"><Period><AdaptationSet><Representation><BaseURL>\(target)"
                    + "</BaseURL></Representation></AdaptationSet></Period></MPD>",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"\(target)\"/></svg>",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video \(listener.port) RTP/AVP 96\n",
            ]
        }
        let head = Data([0, 0, 0, 24]) + Data("ftypisom\0\0\u{2}\0isommp42".utf8)
        for (bytes, type) in texts.flatMap({
            [(Data($0.utf8), "video/webm"), (Data($0.utf8), "video/mp4"), (head + Data($0.utf8), "video/mp4")]
        }) {
            let (outcome, picture) = try await make(of: bytes, type, in: attacker)
            #expect(outcome == .unusable && picture.isEmpty, "\(type) \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(!listener.ends())
    }

    @Test("A video whose data is in another file has no picture of it", arguments: ["url ", "alis"])
    func elsewhere(kind: String) async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let secret = attacker.folder.appending(path: "secret.mp4").path()
        var film = try Self.film("red.mp4")
        try film.write(to: URL(filePath: secret))
        // An entry without the flag for data in the same file; the data itself is gone.
        let list = try #require(film.range(of: Data("dref".utf8))).upperBound
        let entry = try #require(film.range(of: Data("url ".utf8), in: list..<film.count))
        film.replaceSubrange(entry.lowerBound..<entry.upperBound + 4, with: Data(kind.utf8) + [0, 0, 0, 0])
        let data = try #require(film.range(of: Data("mdat".utf8))).upperBound
        let end = try #require(film.range(of: Data("moov".utf8))).lowerBound - 4
        film.replaceSubrange(data..<end, with: Data(repeating: 0, count: end - data))
        let outcome = try await make(of: film, "video/mp4", in: attacker).outcome
        #expect(outcome == .unusable)
    }

    private final class State: Sendable {
        let open = Atomic(0)
        let most = Atomic(0)
    }

    @Test("One picture is made at a time, and the account's waiting videos are bounded") func bounded() async throws {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let source = attacker.folder.appending(path: "film").path()
        try Self.film("red.mp4").write(to: URL(filePath: source))
        let maker = try #require(PosterMaker(mostWaiting: 3))
        let (state, folder) = (State(), attacker.folder)
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<12 {
                group.addTask {
                    do {
                        let target = folder.appending(path: "p\(number)").path()
                        let outcome = try await maker.make(of: "video/mp4", at: target, for: "mei") {
                            let open = state.open.add(1, ordering: .relaxed).newValue
                            state.most.max(open, ordering: .relaxed)
                            await Task.yield()
                            state.open.subtract(1, ordering: .relaxed)
                            return try FileReader(path: source)
                        }
                        return "\(outcome)"
                    } catch { return (error as? ServerError)?.code.rawValue ?? "\(error)" }
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(state.most.load(ordering: .relaxed) == 1)
        #expect((outcomes["THROTTLED"] ?? 0) > 0 && outcomes.count == 2, "\(outcomes)")
    }
}

/// A port of this machine at which nobody is expected.
private struct Listener {
    let descriptor: Int32
    let port: Int

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 8) | getsockname(descriptor, $0, &length)
            }
        }
        try #require(result == 0)
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// True if somebody came; closes the port.
    func ends() -> Bool {
        defer { close(descriptor) }
        let came = accept(descriptor, nil, nil)
        if came >= 0 { close(came) }
        return came >= 0
    }
}
