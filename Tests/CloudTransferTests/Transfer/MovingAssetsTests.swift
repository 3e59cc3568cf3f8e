import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// Contents that are lost, shared with the server, or collected while an export runs.
struct MovingAssetsTests {
    let here: MovingFixture
    let source: Container

    init() async throws {
        here = try MovingFixture()
        source = try await here.accounts.containers.create(name: "source")
        try await here.with(source, .production) { try await MovingWorld.fill($0) }
    }

    private var assets: String {
        get throws {
            try here.data.path + "/containers/"
                + here.data.assetFolders.name(container: source.id, environment: .production)
        }
    }

    /// Every file of the folder that the server keeps assets in.
    private func stored() throws -> [String] {
        let folder = try assets
        return try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter {
            FileManager.default.contents(atPath: $0) != nil
        }
    }

    @Test("An export names lost assets, and its import keeps them lost") func lostAssets() async throws {
        let picture = try #require(
            try stored().first { FileManager.default.contents(atPath: $0) == Data("a picture".utf8) })
        try FileManager.default.removeItem(atPath: picture)
        let manifest = try await here.export(source, to: "one")
        #expect(manifest.missingAssets.count == 1)
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        try await there.take("one", into: target)
        #expect(try await there.export(target, to: "two").missingAssets == manifest.missingAssets)
        #expect(try there.files("one") == there.files("two"))
        try await there.with(target, .production) { (store) async throws in
            let key = try #require(AssetKey(manifest.missingAssets[0]))
            #expect(try await store.assets.open(key) == nil)
            #expect(try await store.exists("twin"))
            _ = try await store.assets.upload("a picture")
            #expect(try await store.text(of: key) == "a picture")
        }
    }

    @Test("With --link-assets an export links files instead of copying them") func linkedAssets() async throws {
        _ = try await EnvironmentExport(
            of: source, .production, in: here.data, accounts: here.accounts, to: here.folder("linked"),
            linksAssets: true
        ).run()
        try await here.export(source, to: "copied")
        func names(_ folder: String) throws -> [Int] {
            let path = here.folder(folder).path(ExportFolder.assets)
            return try FileManager.default.contentsOfDirectory(atPath: path).compactMap {
                try FileManager.default.attributesOfItem(atPath: "\(path)/\($0)")[.referenceCount] as? Int
            }
        }
        #expect(try names("linked") == [2, 2])
        #expect(try names("copied") == [1, 1])
        #expect(try here.files("linked") == here.files("copied"))
    }

    /// Nothing is left of what was deleted before the copy that counts.
    @Test("An export that takes a newer copy drops assets of the older one") func newerCopy() async throws {
        let folder = here.folder("one")
        var export = EnvironmentExport(
            of: source, .production, in: here.data, accounts: here.accounts, to: folder)
        let stored = try stored()
        let copies = Counter()
        export.reached = { step in
            guard step == .copy, copies.next() == 1 else { return }
            let assets = folder.path(ExportFolder.assets)
            try? FileManager.default.createDirectory(atPath: assets, withIntermediateDirectories: true)
            for name in ["deleted", "deleted.partial"] { try? Data().write(to: URL(filePath: "\(assets)/\(name)")) }
            for path in stored { try? FileManager.default.removeItem(atPath: path) }
        }
        let manifest = try await export.run()
        #expect(copies.count == 2)
        #expect(manifest.missingAssets.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(ExportFolder.assets)) == [])
    }

    @Test("An export beside writes can be imported") func concurrentWrites() async throws {
        let store = try await here.open(source, .production)
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                let asset = try await store.assets.upload("contents \(number)")
                _ = try await store.modify([operation(.create, "w\(number)", fields: assetField(asset))])
                _ = try await store.modify([operation(.forceDelete, "w\(number - 1)")])
                _ = try await store.assets.collect()
            }
        }
        for number in 0..<5 {
            try await here.export(source, to: "\(number)")
            let target = try await here.accounts.containers.create(name: "\(number)")
            try await here.take("\(number)", into: target)
        }
        writer.cancel()
        // It may be waiting for a file to be opened.
        do { try await writer.value } catch is CancellationError {}
        try await store.close()
    }
}

/// Counts from any thread.
private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
