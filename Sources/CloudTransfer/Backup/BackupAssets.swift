import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudStore
import Foundation

/// Copies the asset contents that an environment's copy names into the archive, skipping contents already there.
struct BackupAssets: Sendable {
    let place: BackupManifest.Database.Place
    /// The backup's name.
    let name: String
    let data: DataFolder
    let backups: BackupArchive
    let report: ReportProgress

    struct Outcome: Sendable {
        let list: BackupManifest.AssetList
        /// Bytes of contents that the archive lacked.
        let newBytes: Int64
    }

    private static let batch: Int64 = 500
    private static let mostMissing = 1_000

    private struct Progress {
        var (count, bytes, newBytes, missing): (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
        var missingKeys: [String] = []
        /// The archive folder listed last, with its files. Keys arrive in order, so each folder is listed once.
        var (shard, there): (String?, [String: Int64]) = (nil, [:])
    }

    /// - Parameter copy: the copy of the environment's database.
    func copy(_ copy: any EngineConnection) async throws -> Outcome {
        let (folder, total) = try copy.read { db in
            (try AssetsFolder.name(db), try db.first("SELECT count(*) FROM assets") { $0.integer(0) } ?? 0)
        }
        let store = data.assetFolders.store(
            container: place.containerID, environment: place.environment, stored: folder)
        let file = "\(place.containerID)-\(place.environment.rawValue).assets"
        let path = backups.scratch(file)
        let writer = try LineWriter(path: path)
        var (progress, last) = (Progress(), "")
        while true {
            let assets = try copy.read { [last] in try StoredAssetRow.all(after: last, limit: Self.batch, $0) }
            for asset in assets {
                try Task.checkCancellation()
                if try await take(asset, from: store, &progress) {
                    try writer.append(Array("\(asset.key) \(asset.size)".utf8))
                    progress.count += 1
                    progress.bytes += asset.size
                }
                report(
                    TransferProgress(
                        what: "assets of \(place.text)", done: progress.count + progress.missing, total: total))
            }
            guard let end = assets.last else { break }
            last = end.key
        }
        try writer.finish()
        let (size, sha256) = try await BackupDigest.of(file: path)
        try await backups.archive.take(path, as: BackupNames.file(file, of: name), sha256: sha256)
        return Outcome(
            list: BackupManifest.AssetList(
                file: BackupManifest.File(name: file, size: size, sha256: sha256.hex), count: progress.count,
                bytes: progress.bytes, missing: progress.missing, missingKeys: progress.missingKeys),
            newBytes: progress.newBytes)
    }

    /// - Returns: whether the contents are in the archive.
    private func take(
        _ asset: StoredAssetRow, from store: any AssetStore, _ progress: inout Progress
    ) async throws -> Bool {
        let shard = BackupNames.shard(asset.key)
        if progress.shard != shard {
            progress.there = try await backups.archive.files(in: BackupNames.shardFolder(shard))
            progress.shard = shard
        }
        if progress.there[asset.key] == asset.size { return true }
        guard try await copy(asset, from: store) else {
            progress.missing += 1
            if progress.missingKeys.count < Self.mostMissing { progress.missingKeys.append(asset.key) }
            return false
        }
        progress.newBytes += asset.size
        return true
    }

    /// - Returns: false when the contents are lost or damaged.
    private func copy(_ asset: StoredAssetRow, from store: any AssetStore) async throws -> Bool {
        guard let contents = try await store.open(asset.file), contents.size == asset.size else { return false }
        let path = backups.scratch(asset.key)
        unlink(path)
        let sha256 = try await contents.copy(to: path, isSynced: true)
        guard AssetKey(sha256: sha256).text == asset.key else {
            unlink(path)
            return false
        }
        try await backups.archive.take(path, as: BackupNames.asset(asset.key), sha256: sha256)
        return true
    }
}

/// A database row that describes an asset's contents.
struct StoredAssetRow: Hashable, Sendable {
    let key: String
    let file: AssetFile
    let size: Int64

    /// Rows after `key`, ordered by key.
    static func all(after key: String, limit: Int64, _ db: SQLConnection) throws -> [StoredAssetRow] {
        var rows: [StoredAssetRow] = []
        try db.each(
            "SELECT key, file, size FROM assets WHERE key > ? ORDER BY key LIMIT ?", [.text(key), .integer(limit)]
        ) {
            rows.append(
                StoredAssetRow(key: $0.text(0), file: AssetFile(name: $0.text(1)), size: $0.integer(2)))
            return true
        }
        return rows
    }
}
