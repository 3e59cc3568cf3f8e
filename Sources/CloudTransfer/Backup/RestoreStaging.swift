import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudStore
import Foundation
import NIOCore

/// Stages a whole backup in the data folder before any live file changes.
struct RestoreStaging: Sendable {
    let manifest: BackupManifest
    let restoration: BackupRestoration

    private static let batch: Int64 = 500

    private var data: DataFolder { restoration.data }
    private var backups: BackupArchive { restoration.backups }
    private var containers: String { data.restoreFolder + "/containers" }

    /// The asset store to fill: the staging folder, or the configured store outside the data folder.
    private var assets: any AssetBackend {
        data.assetsLocation == DataFolder.ownAssets ? DiskAssets(root: containers) : data.assets
    }

    /// Copies the backup into the staging folder and verifies checksums and counts.
    func fill() async throws {
        try Folder.make(containers)
        for database in manifest.databases {
            let file = BackupFile(database.file, of: manifest.name, in: backups)
            let path = try await file.fetch(into: database.place == nil ? data.restoreFolder : containers)
            try await file.check(path, database, data.engine)
            if let place = database.place { try await fillAssets(of: database, place, path) }
        }
        try finishAccounts()
        try Folder.sync(containers)
        try Folder.sync(data.restoreFolder)
    }

    /// Removes the remains of an unfinished restore.
    func clear() async throws {
        guard FileManager.default.fileExists(atPath: data.restoreFolder) else { return }
        if data.assetsLocation != DataFolder.ownAssets {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: containers)) ?? []
            where name.hasSuffix(".sqlite") {
                // An unreadable database got no assets.
                guard let folder = (try? folder(of: "\(containers)/\(name)")) ?? nil, folder.hasSuffix(Self.suffix)
                else {
                    continue
                }
                try await assets.remove(folder: folder)
            }
        }
        try FileManager.default.removeItem(atPath: data.restoreFolder)
    }

    // MARK: Assets

    /// The suffix of asset folders that restores create; the random part before it keeps the name unique.
    private static let suffix = "-restored-assets"

    private func folder(of path: String) throws -> String? {
        let copy = try data.engine.copier.openCopy(path, readonly: true)
        defer { try? copy.close() }
        return try copy.read(AssetsFolder.name)
    }

    private func fillAssets(
        of database: BackupManifest.Database, _ place: BackupManifest.Database.Place, _ path: String
    ) async throws {
        guard let list = database.assets, list.count > 0 else { return }
        try await BackupFile(list.file, of: manifest.name, in: backups).check()
        let copy = try data.engine.copier.openCopy(path, readonly: false)
        defer { try? copy.close() }
        let store = assets.store(folder: try folder(place, copy), slots: FileSlots())
        var (moved, done) = ([(key: String, file: AssetFile)](), Int64(0))
        try await backups.eachAsset(BackupNames.file(list.file.name, of: manifest.name)) { key, size in
            moved.append((key, try await take(key, size, into: store)))
            done += 1
            restoration.report(TransferProgress(what: "assets of \(place.text)", done: done, total: list.count))
            if moved.count == Int(Self.batch) { try Self.note(&moved, copy) }
        }
        try Self.note(&moved, copy)
        guard done == list.count else {
            throw TransferFault("\(list.file.name) has \(done) assets, and \(list.count) were counted")
        }
    }

    /// The folder for an environment's assets. Outside the data folder it gets a new name, because the old folder still
    /// belongs to the databases moved aside.
    private func folder(_ place: BackupManifest.Database.Place, _ copy: any EngineConnection) throws -> String {
        let known = try copy.read(AssetsFolder.name)
        guard data.assetsLocation != DataFolder.ownAssets else {
            return data.assetFolders.name(container: place.containerID, environment: place.environment, stored: known)
        }
        let name = "\(place.containerID)-\(place.environment.rawValue)-\(RandomText.hex(bytes: 8))\(Self.suffix)"
        try copy.write { try AssetsFolder.rename(name, $0) }
        return name
    }

    private func take(_ key: String, _ size: Int64, into store: any AssetStore) async throws -> AssetFile {
        let name = BackupNames.asset(key)
        guard let contents = try await backups.archive.open(name), contents.size == size else {
            throw TransferFault("\(backups.archive.place)/\(name) is missing or too short; use another backup")
        }
        return try await store.take(contents.bytes(), limit: .max) { taken in
            guard taken.description.key.text == key else {
                throw TransferFault("\(backups.archive.place)/\(name) is damaged: its checksum is wrong")
            }
            return (true, taken.file)
        }
    }

    private static func note(_ moved: inout [(key: String, file: AssetFile)], _ copy: any EngineConnection) throws {
        try copy.write { db in
            for (key, file) in moved {
                try db.run("UPDATE assets SET file = ? WHERE key = ?", .text(file.name), .text(key))
            }
        }
        moved = []
    }

    /// Records the asset location in the accounts, and marks the index of published names for a rebuild: the
    /// accounts were copied after the environments, so names may have changed in between.
    private func finishAccounts() throws {
        let path = "\(data.restoreFolder)/\(BackupNames.accounts)"
        let accounts = try data.engine.copier.openCopy(path, readonly: false)
        try accounts.write { [now = data.now()] db in
            try AssetsLocation.note(data.assetsLocation, db)
            if try db.hasTable("publishedName") { try PublishedNameTable.distrust(container: nil, now: now, db) }
        }
        try accounts.close()
    }
}

/// A `take` whose contents are any sequence of bytes.
extension AssetStore {
    fileprivate func take<T: Sendable>(
        _ contents: any AssetBytes, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T {
        func open(_ contents: some AssetBytes) async throws -> T {
            try await take(contents, limit: limit, keep: keep)
        }
        return try await open(contents)
    }
}
