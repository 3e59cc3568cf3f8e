import CloudAssets
import CloudModel
import CloudSQLite
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// Lists of backups while one is being made.
@Suite(.timeLimit(.minutes(10)))
struct BackupListTests {
    @Test("A list read while the first backup begins has no foreign entries")
    func firstBackup() async throws {
        let fixture = try MovingFixture(engine: SQLiteEngine())
        let archive = FolderArchive(root: fixture.folder("backups").path)
        _ = try await BackupCreation(of: fixture.data, accounts: fixture.accounts, to: archive).run()
        let list = try await BackupArchive(LateMarker(archive: archive), of: fixture.data).list()
        #expect(list.count == 1)
    }
}

/// An archive whose marker is not there when it is looked for first.
private final class LateMarker: Archive {
    private let archive: FolderArchive
    private let hasLooked = Mutex(false)

    init(archive: FolderArchive) { self.archive = archive }

    var place: String { archive.place }
    var scratch: String { archive.scratch }

    func open(_ name: String) async throws -> (any AssetReading)? {
        if name == BackupNames.marker,
            hasLooked.withLock({ looked in
                defer { looked = true }; return !looked
            })
        {
            return nil
        }
        return try await archive.open(name)
    }

    func prepare() async throws -> any ArchiveTurn { try await archive.prepare() }
    func local(_ name: String) -> String? { archive.local(name) }
    func files(in folder: String) async throws -> [String: Int64] { try await archive.files(in: folder) }
    func folders(in folder: String) async throws -> [String] { try await archive.folders(in: folder) }
    func delete(_ name: String) async throws { try await archive.delete(name) }
    func remove(folder: String) async throws { try await archive.remove(folder: folder) }
    func take(_ path: String, as name: String, sha256: [UInt8]) async throws {
        try await archive.take(path, as: name, sha256: sha256)
    }
}
