import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudStore
import Foundation

/// Copies one database into a backup, with the assets that its copy names.
struct BackupDatabase: Sendable {
    /// The environment; nil for the accounts.
    let place: BackupManifest.Database.Place?
    /// The backup's name.
    let name: String
    let creation: BackupCreation

    struct Outcome: Sendable {
        let database: BackupManifest.Database
        /// Bytes of assets that the archive lacked.
        let newAssetBytes: Int64
        /// The environments that the copy of the accounts names.
        let places: [BackupManifest.Database.Place]
    }

    private var data: DataFolder { creation.data }
    private var backups: BackupArchive { creation.backups }

    private var source: String {
        place.map { data.recordsFile(container: $0.containerID, environment: $0.environment) } ?? data.accountsFile
    }

    func copy() async throws -> Outcome {
        let file = BackupManifest.Database.file(of: place)
        let path = backups.scratch(file)
        try prepare(path)
        try await copyFile(to: path)
        let (counts, places) = try await look(into: path)
        let copied = try await copyAssets(of: path)
        let (size, sha256) = try await BackupDigest.of(file: path)
        try await backups.archive.take(path, as: BackupNames.file(file, of: name), sha256: sha256)
        try await creation.reached(.assets(file))
        return Outcome(
            database: BackupManifest.Database(
                place: place, file: BackupManifest.File(name: file, size: size, sha256: sha256.hex), counts: counts,
                assets: copied?.list),
            newAssetBytes: copied?.newBytes ?? 0, places: places)
    }

    /// Creates the file empty and readable by its owner alone.
    private func prepare(_ path: String) throws {
        if let place {
            guard let database = try data.engine.locations.facts(of: source), !database.isEmpty else {
                throw TransferFault(
                    "\(place.text) has lost its database, \(source); put it back, or accept the loss with 'cumulus "
                        + "container forget-data', and run the command again")
            }
        }
        try EnvironmentSnapshot.remove(path, by: data.engine)
        try LineWriter.save([], as: path)
    }

    private func copyFile(to path: String) async throws {
        let (engine, source, report) = (data.engine, source, creation.report)
        let what = "pages of \(place?.text ?? "the accounts")"
        try await BackupQueue.run { isCancelled in
            try engine.copier.backUp(source, to: path) { done, total in
                if isCancelled() { throw CancellationError() }
                report(TransferProgress(what: what, done: Int64(done), total: Int64(total)))
            }
            guard place != nil else { return }
            // Counting needs the current layout; a file not opened since a program update has an older layout.
            let copy = try engine.copier.openCopy(path, readonly: false)
            try Migrations.run(on: copy, name: source)
            try copy.close()
        }
        try await creation.reached(.database(BackupManifest.Database.file(of: place)))
    }

    /// Counts the copy's rows on the backup thread; large copies take seconds.
    private func look(
        into path: String
    ) async throws -> (counts: [BackupCount], places: [BackupManifest.Database.Place]) {
        let (engine, isAccounts) = (data.engine, place == nil)
        return try await BackupQueue.run { _ in
            let copy = try engine.copier.openCopy(path, readonly: true)
            defer { try? copy.close() }
            return try copy.read { db in
                (try BackupCount.all(isAccounts: isAccounts, db), isAccounts ? try Self.places(db) : [])
            }
        }
    }

    private func copyAssets(of path: String) async throws -> BackupAssets.Outcome? {
        guard let place else { return nil }
        let copy = try data.engine.copier.openCopy(path, readonly: true)
        defer { try? copy.close() }
        return try await BackupAssets(place: place, name: name, data: data, backups: backups, report: creation.report)
            .copy(copy)
    }

    private static func places(_ db: SQLConnection) throws -> [BackupManifest.Database.Place] {
        try db.all(
            """
            SELECT container.name, container.id, environment FROM madeEnvironment
            JOIN container ON container.id = madeEnvironment.container
            """
        ) { row in
            ContainerEnvironment(rawValue: row.text(2)).map {
                BackupManifest.Database.Place(container: row.text(0), containerID: row.integer(1), environment: $0)
            }
        }.compactMap(\.self)
    }
}
