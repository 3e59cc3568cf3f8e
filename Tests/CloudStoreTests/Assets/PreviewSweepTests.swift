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
            "\(kept)-small-2.jpg", "\(kept)-tile-2.avif", "\(kept)-color-2", "\(kept)-color-1", "\(kept)-small.jpg",
            "\(gone)-small-2.jpg",
            "\(gone)-large.draft.jpg", "\(kept)-large.draft.jpg", "\(kept)-large.draft.jpg.source",
        ] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/previews/\(file)", contents: Data("x".utf8)))
        }
        try await store.assets.sweep()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder + "/previews").sorted()
                == ["\(kept)-color-2", "\(kept)-small-2.jpg", "\(kept)-tile-2.avif"])
        try await store.close()
    }
}
