import CloudAssets
import CloudModel
import Foundation
import TestAssets
import TestEngine
import TestStore
import Synchronization
import Testing

@testable import CloudStore

/// Films beside an environment's previews: starts, refusals, restarts and deletion.
@Suite(.timeLimit(.minutes(5)))
struct FilmsTests {
    /// An environment with a video.
    private struct Place {
        let folder: String
        let maker: FilmMaker
        let store: EnvironmentStore
        let key: AssetKey

        func film(begins: Bool = true) async throws -> FilmAnswer? {
            try await store.assets.film(of: key, begins: begins)
        }

        /// The film after its end.
        func ended() async throws -> FilmAnswer? {
            _ = try await film()
            await store.assets.finishFilms()
            return try await film(begins: false)
        }

        var files: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/previews")) ?? []).sorted()
        }
    }

    private static func open(_ folder: String, _ maker: FilmMaker) throws -> EnvironmentStore {
        let previews = try #require(PreviewMaker(mostPixels: 1, mostWaiting: 1, films: maker))
        return EnvironmentStore(
            stored: try StoredEnvironment(
                EnvironmentIdentity(
                    path: folder + "/records.sqlite", container: "iCloud.com.example.test", environment: .development,
                    routingKey: "abc"),
                engine: TestEngine(),
                files: EnvironmentFiles(
                    assets: FileAssetStore(folder: folder + "/assets"),
                    previews: Previews(folder: folder + "/previews", maker: previews)),
                settings: EnvironmentSettings(readers: 1), now: Timestamp.now))
    }

    private func withPlace(
        _ maker: FilmMaker? = nil, video: Data? = nil, closes: Bool = true, _ body: (Place) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let maker = try #require(maker ?? FilmMaker(mostWaiting: 2))
        let store = try Self.open(folder, maker)
        let bytes = if let video { video } else { try await FilmSample.hevc() }
        let key = try await store.assets.upload(.alice, from: nil, Chunks([[UInt8](bytes)]), limit: 1 << 24).key
        try await body(Place(folder: folder, maker: maker, store: store, key: key))
        if closes { try await store.close() }
    }

    private static func bad(
        _ way: String, seconds: Int32 = 20, now: @escaping Now = Timestamp.now
    ) throws -> (Attacker, FilmMaker) {
        let attacker = try Attacker()
        let link = attacker.folder.appending(path: "attacker-\(way)").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        var bounds = ConfinedProgram.Bounds()
        (bounds.seconds, bounds.memory, bounds.output) = (seconds, 64 << 20, 1 << 20)
        let maker = FilmMaker(
            mostWaiting: 1, program: ConfinedProgram(path: link), bounds: { [bounds] _ in bounds }, now: now)
        return (attacker, maker)
    }

    @Test("Many who ask at once start one program, and who only looks starts none") func once() async throws {
        try await withPlace { place in
            guard case .making(nil)? = try await place.film(begins: false) else { throw CancellationError() }
            #expect(place.maker.started == 0 && place.files.isEmpty)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await place.film() } }
                try await group.waitForAll()
            }
            guard case .made(let film)? = try await place.ended() else { throw CancellationError() }
            #expect(place.maker.started == 1 && film.size > 1000)
            #expect(place.files.count == 1 && place.files[0].hasSuffix("-film-1.mp4"))
        }
    }

    @Test("A film stays after a restart and a sweep, and a draft that was left is made anew")
    func restart() async throws {
        try await withPlace(closes: false) { place in
            guard case .made? = try await place.ended() else { throw CancellationError() }
            let file = try #require(place.files.first)
            let draft = file.replacing("-film-1.mp4", with: "-film.draft.mp4")
            _ = FileManager.default.createFile(atPath: "\(place.folder)/previews/\(draft)", contents: Data("half".utf8))
            try await place.store.close()
            let maker = try #require(FilmMaker(mostWaiting: 1))
            let store = try Self.open(place.folder, maker)
            try await store.assets.sweep()
            #expect(place.files == [file])
            let kept = try await store.assets.film(of: place.key, begins: true)
            guard case .made? = kept else { throw CancellationError() }
            try FileManager.default.moveItem(
                atPath: "\(place.folder)/previews/\(file)", toPath: "\(place.folder)/previews/\(draft)")
            _ = try await store.assets.film(of: place.key, begins: true)
            await store.assets.finishFilms()
            #expect(place.files == [file] && maker.started == 1)
            try await store.close()
        }
    }

    @Test("An environment that is closed and opened meanwhile has one film made") func reopened() async throws {
        try await withPlace(closes: false) { place in
            _ = try await place.film()
            try await place.store.close()
            let store = try Self.open(place.folder, place.maker)
            _ = try await store.assets.film(of: place.key, begins: true)
            try await store.assets.sweep()
            await store.assets.finishFilms()
            guard case .made? = try await store.assets.film(of: place.key, begins: false) else {
                throw CancellationError()
            }
            #expect(place.maker.started == 1 && place.files.count == 1)
            try await store.close()
        }
    }

    @Test("A film goes with its video, and one that is being made does not come after it")
    func deletion() async throws {
        try await withPlace { place in
            guard case .made? = try await place.ended() else { throw CancellationError() }
            let file = try #require(
                try await place.store.stored.reads.read { db in try AssetTable.find(place.key, db) }
            ).file
            let previews = try #require(place.store.stored.previews)
            previews.forget(file)
            #expect(place.files.isEmpty)
            _ = try await place.film()
            previews.forget(file)
            await place.store.assets.finishFilms()
            #expect(place.files.isEmpty && place.maker.started == 2)
        }
    }

    @Test("A film that takes too long is tried again after pauses that grow, and who asks is told when")
    func late() async throws {
        let clock = Mutex(Timestamp(milliseconds: 1_700_000_000_000))
        let (attacker, maker) = try Self.bad("hang", seconds: 1) { clock.withLock { $0 } }
        defer { attacker.remove() }
        try await withPlace(maker) { place in
            for (attempt, pause) in [60, 600, 86_400, 86_400].enumerated() {
                let error = await #expect(throws: ServerError.self) { try await place.ended() }
                #expect(error?.code == .tryAgainLater && error?.retryAfter == pause, "\(String(describing: error))")
                #expect(error?.reason.contains("was not made within 1 seconds") == true)
                clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + Int64(pause) * 1000 - 1) }
                let waiting = await #expect(throws: ServerError.self) { try await place.film() }
                #expect(waiting?.retryAfter == 1 && maker.started == attempt + 1 && place.files.isEmpty)
                clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + 1) }
            }
        }
    }

    @Test("A video of which no film can be made is not tried again") func failures() async throws {
        let (attacker, maker) = try Self.bad("crash")
        defer { attacker.remove() }
        try await withPlace(maker) { place in
            for _ in 0..<3 {
                guard case .none(.unusable)? = try await place.ended() else { throw CancellationError() }
            }
            #expect(maker.started == 1 && place.files.isEmpty)
        }
    }

    @Test("A program that cannot be started is the server's fault, and tried again") func missing() async throws {
        let maker = FilmMaker(mostWaiting: 1, program: ConfinedProgram(path: "/nowhere/ffmpeg"))
        try await withPlace(maker) { place in
            for count in 1...2 {
                let error = await #expect(throws: ServerError.self) { try await place.ended() }
                #expect(error?.code == .tryAgainLater && maker.started == count)
            }
        }
    }

    @Test("Videos that tell no length, too long ones and files that are no videos start nothing")
    func refused() async throws {
        let long = try await FilmSample.make(
            [
                "-f", "lavfi", "-i", "color=size=16x16:rate=1/10:duration=1210", "-c:v", "libx264", "-preset",
                "ultrafast",
            ])
        let webm = try await FilmSample.make(
            FilmSample.pictures() + ["-c:v", "libvpx", "-live", "1"], ending: "webm")
        let silent = try await FilmSample.make(FilmSample.sound() + ["-c:a", "aac"])
        for (video, refusal) in [
            (long, FilmRefusal.tooLong), (webm, .unknownLength), (silent, .noVideo), (Data("text".utf8), .noVideo),
        ] {
            try await withPlace(video: video) { place in
                guard case .none(refusal)? = try await place.film() else {
                    Issue.record("\(refusal) \(String(describing: try await place.film()))")
                    return
                }
                #expect(place.maker.started == 0 && place.files.isEmpty)
            }
        }
    }
}
