@testable import CloudWire
import CloudAccounts
import CloudEngine
import CloudModel
import CloudStore
import Foundation
import Logging
import TestEngine
import Testing

struct CollectorTests {
    /// A container that nobody has asked for since the start has leftovers, too.
    @Test("The collector visits containers whose databases are closed") func closedContainers() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = try DataFolder(path: root.path(), engine: TestEngine())
        let accounts = try AccountStore(folder: folder)
        let container = try await accounts.containers.create(name: "c")
        let before = ContainerStores(folder: folder, accounts: accounts, previews: nil)
        _ = try await before.store(container: container, environment: .production)
        try await before.close()
        let assets = try folder.assetFolders.name(container: container.id, environment: .production)
        let shard = "\(folder.path)/containers/\(assets)/00"
        try FileManager.default.createDirectory(atPath: shard, withIntermediateDirectories: true)
        let orphan = shard + "/00" + String(repeating: "1", count: 30)
        #expect(FileManager.default.createFile(atPath: orphan, contents: Data("x".utf8)))
        let stores = ContainerStores(folder: folder, accounts: accounts, previews: nil)
        let logger = Logger(label: "test")
        try await AssetCollector(
            accounts: accounts, stores: stores, interval: .seconds(60), logger: logger, clock: SettableClock()
        ).collect()
        #expect(!FileManager.default.fileExists(atPath: orphan))
        try await stores.close()
    }
}
