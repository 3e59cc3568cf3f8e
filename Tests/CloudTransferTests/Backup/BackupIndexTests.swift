import CloudAssets
import CloudModel
import CloudSQLite
import Foundation
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// A backup's own files that list what it has are checked like what they list.
@Suite(.timeLimit(.minutes(10)))
struct BackupIndexTests {
    private let fixture: MovingFixture
    private let archive: FolderArchive

    init() throws {
        fixture = try MovingFixture(engine: SQLiteEngine())
        archive = FolderArchive(root: fixture.folder("backups").path)
    }

    private func verify() async throws -> [String] {
        try await BackupVerification(of: fixture.data, in: archive).run(nil).problems
    }

    @Test("Each flipped byte of the manifest is detected")
    func manifest() async throws {
        let manifest = try await BackupCreation(of: fixture.data, accounts: fixture.accounts, to: archive).run()
        let bytes = manifest.json
        #expect(try BackupManifest(bytes, place: "p") == manifest)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1
            #expect(throws: TransferFault.self, "byte \(index)") { try BackupManifest(flipped, place: "p") }
        }
        #expect(throws: TransferFault.self) { try BackupManifest(bytes.dropLast(), place: "p") }
        #expect(throws: TransferFault.self) { try BackupManifest(bytes + [0x20], place: "p") }
    }

    @Test("Each flipped byte of the archive's marker, and its loss, is detected")
    func marker() async throws {
        _ = try await BackupCreation(of: fixture.data, accounts: fixture.accounts, to: archive).run()
        #expect(try await verify() == [])
        let file = URL(filePath: fixture.folder("backups").path).appending(path: BackupNames.marker)
        let bytes = try Data(contentsOf: file)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1
            try flipped.write(to: file)
            let problems = try? await verify()
            // What is no JSON any more is refused before anything is read.
            if let problems { #expect(problems.contains { $0.contains(BackupNames.marker) }, "byte \(index)") }
        }
        try bytes.write(to: file)
        #expect(try await verify() == [])
    }
}
