import CloudAssets
import CloudModel
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

struct PreviewSweepTests {
    @Test("Previews of deleted assets and of earlier versions are swept, and others stay") func sweep() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/previews", withIntermediateDirectories: true)
        let maker = try #require(PreviewMaker(mostPixels: 1, mostWaiting: 1))
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
        let key = try await store.assets.upload("a").key
        let kept = try #require(try await store.stored.reads.read { db in try AssetTable.find(key, db) }).file.name
        let gone = String(repeating: "1", count: 32)
        for file in [
            "\(kept)-small-3.jpg", "\(kept)-tile-3.avif", "\(kept)-color-3", "\(kept)-color-2", "\(kept)-tile-2.avif",
            "\(kept)-small.jpg", "\(gone)-small-3.jpg",
            "\(gone)-large.draft.jpg", "\(kept)-large.draft.jpg", "\(kept)-large.draft.jpg.source",
        ] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/previews/\(file)", contents: Data("x".utf8)))
        }
        try await store.assets.sweep()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/previews").sorted()
                == ["\(kept)-color-3", "\(kept)-small-3.jpg", "\(kept)-tile-3.avif"])
        try await store.close()
    }

    @Test("Previews and films above the bound are deleted, those not used for longest first, and by new ones too")
    func room() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = PreviewFiles(folder: folder)
        try files.makeFolder()
        /// Writes a file of some blocks, last used some days ago.
        func write(_ number: Int, blocks: Int, days: Int) throws -> String {
            let file = AssetFile(name: String(format: "%032x", number))
            let path = number % 2 == 0 ? files.film(of: file) : files.path(of: file, .tile, .jpeg)
            let bytes = Data(repeating: 1, count: blocks * 4096)
            #expect(FileManager.default.createFile(atPath: path, contents: bytes))
            let used = timeval(tv_sec: time(nil) - days * 86_400, tv_usec: 0)
            #expect(utimes(path, [used, used]) == 0)
            return path
        }
        func left() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let room = PreviewRoom(files: files, most: 100 * 4096)
        let paths = try (1...10).map { try write($0, blocks: 10, days: $0) }
        try await room.tidy()
        #expect(try left() == 10)
        let more = try write(11, blocks: 9, days: 0)
        await room.add(more)
        #expect(try left() == 11)
        await room.add(try write(12, blocks: 2, days: 0))
        // 111 blocks were there: the three that were used long ago made room for 90.
        #expect(try left() == 9)
        #expect(paths.filter { access($0, F_OK) != 0 } == Array(paths.suffix(3)))
    }
}
