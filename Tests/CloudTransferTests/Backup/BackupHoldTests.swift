import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import CloudSQLite
import Foundation
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// Writes during a backup, and their part in it.
@Suite(.timeLimit(.minutes(10)))
struct BackupHoldTests {
    private let fixture: MovingFixture
    private let archive: FolderArchive

    init() throws {
        fixture = try MovingFixture(engine: SQLiteEngine())
        archive = FolderArchive(root: fixture.folder("backups").path)
    }

    private func creation(_ reached: @escaping ReachedBackupStep) -> BackupCreation {
        var creation = BackupCreation(of: fixture.data, accounts: fixture.accounts, to: archive)
        creation.reached = reached
        return creation
    }

    private func fill(_ container: Container, _ text: String) async throws {
        _ = try await fixture.accounts.environments.routingKey(container: container.id, environment: .production)
        try await fixture.with(container, .production) { store in
            _ = try await store.assets.upload(.alice, from: nil, Chunks(text), limit: 100)
        }
        try await fixture.accounts.environments.noteMade(container: container.id, environment: .production)
    }

    @Test("Assets of a copied database are not collected until the backup has them")
    func collecting() async throws {
        try await fill(try await fixture.accounts.containers.create(name: "c"), "contents")
        let data = fixture.data
        let manifest = try await creation { step in
            guard case .database = step else { return }
            #expect(throws: FileLock.Held.self) { try FileLock(path: data.assetsLock, wait: false) }
        }.run()
        #expect(manifest.assets == 1 && manifest.missingAssets == 0)
        _ = try FileLock(path: data.assetsLock, wait: false)
        let findings = try await BackupVerification(of: data, in: archive).run(nil)
        #expect(findings.problems.isEmpty && findings.assets == 1)
    }

    @Test("An environment created during a backup is in it, and one deleted during it is not")
    func environmentsMeanwhile() async throws {
        let old = try await fixture.accounts.containers.create(name: "old")
        try await fill(old, "old")
        let manifest = try await creation { step in
            guard step == .database("1-production.sqlite") else { return }
            _ = try await fixture.accounts.containers.delete(name: "old")
            try await fill(try await fixture.accounts.containers.create(name: "new"), "new")
        }.run()
        #expect(manifest.environments.compactMap { $0.place?.container } == ["new"])
        #expect(manifest.databases.last?.place == nil)
        #expect(try await BackupVerification(of: fixture.data, in: archive).run(nil).problems.isEmpty)
    }

    @Test("An asset lost before the backup is counted and does not stop it")
    func lost() async throws {
        let container = try await fixture.accounts.containers.create(name: "c")
        try await fill(container, "contents")
        try await fixture.data.assets.remove(
            folder: try fixture.data.assetFolders.name(container: container.id, environment: .production))
        let manifest = try await creation { _ in }.run()
        #expect(manifest.assets == 0 && manifest.missingAssets == 1)
    }
}
