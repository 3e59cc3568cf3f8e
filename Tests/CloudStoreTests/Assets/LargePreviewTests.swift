import CloudAssets
import CloudModel
import Foundation
import Synchronization
import TestAssets
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Large previews are JPEGs until the slower AVIF is made.
@Suite(.timeLimit(.minutes(5)))
struct LargePreviewTests {
    private static let photo = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Samples/photos/astronaut.jpg").standardizedFileURL

    private func withStore(
        _ maker: PreviewMaker, in folder: String, _ body: (EnvironmentStore) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = EnvironmentStore(
            stored: try StoredEnvironment(
                EnvironmentIdentity(
                    path: folder + "/records.sqlite", container: "iCloud.com.example.test", environment: .development,
                    routingKey: "abc"),
                engine: TestEngine(),
                files: EnvironmentFiles(
                    assets: FileAssetStore(folder: folder + "/assets"),
                    previews: Previews(folder: folder + "/previews", maker: maker)),
                settings: EnvironmentSettings(readers: 1), now: Timestamp.now))
        try await body(store)
        try await store.close()
    }

    private func upload(_ bytes: [UInt8], to store: EnvironmentStore) async throws -> AssetKey {
        try await store.assets.upload(.alice, from: nil, Chunks([bytes]), limit: 1 << 24).key
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("A large preview is a JPEG at once, and AVIF once that is made, by one program for all who ask")
    func replaced() async throws {
        let maker = try #require(PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
        let photo = [UInt8](try Data(contentsOf: Self.photo))
        try await withFolder { folder in
            try await withStore(maker, in: folder) { store in
                let key = try await upload(photo, to: store)
                let first = try await store.assets.preview(of: key, .large, as: .avif)
                #expect(first?.format == .jpeg)
                while try await store.assets.preview(of: key, .large, as: .avif)?.format != .avif {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let jpeg = try await store.assets.preview(of: key, .large)
                #expect(jpeg?.format == .jpeg && maker.started == 2)
                let avif = try await store.assets.preview(of: key, .large, as: .avif)
                #expect(try #require(avif).reader.size < (try #require(jpeg)).reader.size)
            }
        }
    }

    @Test("A program that hangs over AVIFs keeps nobody from JPEGs, and a bounded number waits") func hangs()
        async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-hang").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        let photo = [UInt8](try Data(contentsOf: Self.photo))
        // Bytes after the end of a JPEG make other pictures of it.
        let photos = (0..<Previews.mostReplacing + 4).map { photo + [UInt8($0)] }
        try await withFolder { folder in
            var keys: [AssetKey] = []
            let good = try #require(PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
            try await withStore(good, in: folder) { store in
                for photo in photos {
                    keys.append(try await upload(photo, to: store))
                    _ = try await store.assets.preview(of: keys[keys.count - 1], .large)
                }
            }
            var program = ConfinedProgram(path: link)
            program.bounds.seconds = 1
            let bad = PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1, program: program)
            try await withStore(bad, in: folder) { store in
                for key in keys {
                    let given = try await store.assets.preview(of: key, .large, as: .avif)
                    #expect(given?.format == .jpeg)
                }
                let previews = try #require(store.stored.previews)
                #expect(previews.replacing <= Previews.mostReplacing)
                #expect(bad.started <= Previews.mostReplacing)
            }
        }
    }

    @Test("A preview that takes too long is tried again after pauses that grow, and the others stay") func late()
        async throws
    {
        let attacker = try Attacker()
        defer { attacker.remove() }
        let link = attacker.folder.appending(path: "attacker-hang").path()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Attacker.program)
        var program = ConfinedProgram(path: link)
        program.bounds.seconds = 1
        let clock = Mutex(Timestamp(milliseconds: 1_700_000_000_000))
        let photo = [UInt8](try Data(contentsOf: Self.photo))
        try await withFolder { folder in
            let good = try #require(PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1))
            try await withStore(good, in: folder) { store in
                _ = try await store.assets.preview(of: try await upload(photo, to: store), .small)
            }
            let bad = PreviewMaker(mostPixels: 100_000_000, mostWaiting: 1, program: program) {
                clock.withLock { $0 }
            }
            try await withStore(bad, in: folder) { store in
                let key = try await upload(photo, to: store)
                var started = 0
                for pause in [60, 600, 86_400] {
                    let error = await #expect(throws: ServerError.self) {
                        try await store.assets.preview(of: key, .medium, as: .avif)
                    }
                    #expect(error?.code == .tryAgainLater && error?.retryAfter == pause, "\(String(describing: error))")
                    // The first time in both formats.
                    started += started == 0 ? 2 : 1
                    clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + Int64(pause) * 1000 - 1) }
                    let waiting = await #expect(throws: ServerError.self) {
                        try await store.assets.preview(of: key, .tile)
                    }
                    #expect(waiting?.retryAfter == 1 && bad.started == started)
                    #expect(try await store.assets.preview(of: key, .small)?.format == .jpeg)
                    clock.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + 1) }
                }
            }
        }
    }
}
