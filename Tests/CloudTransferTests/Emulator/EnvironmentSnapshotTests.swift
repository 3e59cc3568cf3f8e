import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// A snapshot against all that an environment can have.
@Suite(.timeLimit(.minutes(10)))
struct EnvironmentSnapshotTests {
    private let here: MovingFixture
    private let container: Container
    private let name = Result { try SnapshotName("s") }

    init() async throws {
        here = try MovingFixture()
        container = try await here.accounts.containers.create(name: "iCloud.com.example.source")
        try await here.with(container, .development) { try await MovingWorld.fill($0) }
        for name in ["_alice", "_bob"] { try await here.know(name, in: container) }
    }

    private func stores() -> ContainerStores {
        ContainerStores(folder: here.data, accounts: here.accounts, previews: nil)
    }

    @Test("A restored environment exports byte for byte as before") func restored() async throws {
        try await here.export(container, .development, to: "before")
        let stores = stores()
        try await stores.takeSnapshot(try name.get(), of: container, .development)
        try await stores.reset(container, .development, keepsSchema: false)
        try await here.export(container, .development, to: "empty")
        #expect(try here.files("empty")["records-00001.jsonl"] == nil)
        try await stores.restoreSnapshot(try name.get(), of: container, .development, keepsTokens: true)
        try await here.export(container, .development, to: "after")
        try here.expectSame("before", "after")
        try await stores.close()
    }

    @Test("Snapshots are deleted with their container") func containerDeletion() async throws {
        let stores = stores()
        try await stores.takeSnapshot(try name.get(), of: container, .development)
        try await stores.close()
        let start = EmulatorFiles.snapshotAssets(container: container.id)
        #expect(try await here.data.assets.folders(beginningWith: start).count == 1)
        try await here.data.removeDatabases(ofContainer: container.id)
        try await here.data.assetFolders.removeAll(ofContainer: container.id)
        #expect(try here.data.emulator.snapshots(container: container.id, environment: .development).isEmpty)
        #expect(try await here.data.assets.folders(beginningWith: start).isEmpty)
    }

    @Test("An interrupted snapshot is removed when the next is taken") func interrupted() async throws {
        let stores = stores()
        try await stores.takeSnapshot(try name.get(), of: container, .development)
        let unfinished = here.data.emulator.unfinishedFile(container: container.id, environment: .development)
        let file = here.data.emulator.snapshotFile(try name.get(), container: container.id, environment: .development)
        try here.data.engine.locations.move(file, to: unfinished)
        #expect(try stores.snapshots(of: container, .development).isEmpty)
        try await stores.takeSnapshot(try name.get(), of: container, .development)
        #expect(try here.data.engine.locations.facts(of: unfinished) == nil)
        let start = EmulatorFiles.snapshotAssets(container: container.id)
        #expect(try await here.data.assets.folders(beginningWith: start).count == 1)
        try await stores.close()
    }
}
