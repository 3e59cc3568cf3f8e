package import CloudAccounts
package import CloudAssets
package import CloudEngine
import CloudModel
import CloudSQL
import CloudCrypto
import CloudStore
import Foundation

/// Makes a backup of a data folder, with or without a running server.
///
/// Databases are copied one by one because no transaction spans two of them; each copy is a consistent snapshot. The
/// accounts come last, so they include every user that a record names. A lock stops asset deletion meanwhile, so every
/// asset that a copy names still exists.
package struct BackupCreation: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let backups: BackupArchive
    let report: ReportProgress
    var reached: ReachedBackupStep = { _ in }

    /// The most rounds for copying environments that appear during the backup.
    private static let mostRounds = 20

    package init(
        of data: DataFolder, accounts: AccountStore, to archive: any Archive,
        report: @escaping ReportProgress = { _ in }
    ) {
        self.data = data
        self.accounts = accounts
        backups = BackupArchive(archive, of: data)
        self.report = report
    }

    /// - Throws: ``TransferFault`` in words for the operator. The unfinished backup is dropped by the next run.
    package func run() async throws -> BackupManifest {
        try await backups.worded {
            let lock = try data.lockBackups()
            defer { lock.release() }
            let archive = backups.archive
            let server = try accounts.backupIdentity()
            // Refuse a foreign archive before writing.
            _ = try await backups.server()
            let turn = try await archive.prepare()
            defer { turn.release() }
            try await backups.claim(for: server)
            try await backups.dropUnfinished()
            let manifest = try await copy(server)
            try await reached(.whole)
            try await backups.write(manifest.json, as: BackupNames.file(BackupNames.manifest, of: manifest.name))
            try BackupNote(place: archive.place, name: manifest.name, began: manifest.began).save(in: data)
            return manifest
        }
    }

    private func copy(_ server: String) async throws -> BackupManifest {
        let began = data.now()
        let name = try await name(began)
        let hold = try await FileLock.assets(of: data)
        defer { hold.release() }
        var (databases, newBytes) = ([BackupManifest.Database](), Int64(0))
        for _ in 0..<Self.mostRounds {
            let places = try await accounts.backupPlaces()
            for place in places where !databases.contains(where: { $0.place == place }) {
                try Task.checkCancellation()
                let copied = try await BackupDatabase(place: place, name: name, creation: self).copy()
                databases.append(copied.database)
                newBytes += copied.newAssetBytes
            }
            let copied = try await BackupDatabase(place: nil, name: name, creation: self).copy()
            // Drop environments deleted during the backup, whose assets may be gone; copy new environments in another
            // round.
            let known = Set(copied.places)
            databases.removeAll { $0.place.map { !known.contains($0) } ?? true }
            databases.append(copied.database)
            if known.count == databases.count - 1 {
                return BackupManifest(
                    name: name, server: server, schema: BackupSchema(in: data), began: began, ended: data.now(),
                    databases: databases, newAssetBytes: newBytes)
            }
        }
        throw TransferFault("environments are made faster than they can be copied; run the command again")
    }

    /// An unused name made from the time.
    private func name(_ moment: Timestamp) async throws -> String {
        let taken = try await backups.archive.folders(in: BackupNames.backups)
        let time = moment.date.formatted(.iso8601.timeSeparator(.omitted)).replacing(":", with: "")
        var (name, number) = (time, 1)
        while taken.contains(name) {
            number += 1
            name = "\(time)-\(number)"
        }
        return name
    }
}

extension AccountStore {
    /// The data folder's identity in an archive; moving the folder keeps it.
    fileprivate func backupIdentity() throws -> String {
        try secrets.keyBlocking(for: "backups").withUnsafeBytes { BackupDigest.of(Array($0)).prefix(16).hex }
    }

    fileprivate func backupPlaces() async throws -> [BackupManifest.Database.Place] {
        try await environments.made().map {
            BackupManifest.Database.Place(
                container: $0.container.name, containerID: $0.container.id, environment: $0.environment)
        }
    }
}
