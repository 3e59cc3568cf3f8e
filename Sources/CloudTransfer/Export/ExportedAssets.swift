import CloudAssets
import CloudEngine
import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// Exports the contents of all assets that records hold, under their checksums.
struct ExportedAssets {
    /// Gives the asset store for the folder that the database names; nil names the default folder.
    let source: (String?) -> any AssetStore
    let folder: ExportFolder
    /// True if local files are hard-linked where possible.
    let links: Bool
    let report: ReportProgress

    private static let held = "FROM assets WHERE EXISTS (SELECT 1 FROM record_assets WHERE asset = assets.id)"
    private static let batch: Int64 = 500

    /// Copies missing contents, and deletes files that this snapshot does not name.
    ///
    /// - Returns: checksums of assets whose contents are gone.
    func write(_ snapshot: EnvironmentSnapshot) async throws -> [String] {
        try Folder.make(folder.path(ExportFolder.assets))
        defer { try? snapshot.connection.close() }
        let (name, total) = try snapshot.connection.use { db in
            try prune(db)
            return (try AssetsFolder.name(db), try ExportSummary.counts(db)[.assets] ?? 0)
        }
        let store = source(name)
        var missing: [String] = []
        var (last, done) = ("", Int64(0))
        while true {
            let assets = try snapshot.connection.use { try Self.assets(after: last, $0) }
            for (key, file) in assets {
                if try await !copy(file, of: store, as: folder.asset(key)) {
                    missing.append(AssetKey(key)?.fileChecksum ?? key)
                }
                done += 1
                report(TransferProgress(what: TransferList.assets.noun, done: done, total: total))
            }
            guard let end = assets.last else { break }
            last = end.key
        }
        try Folder.sync(folder.path(ExportFolder.assets))
        return missing
    }

    private static func assets(after key: String, _ db: SQLConnection) throws -> [(key: String, file: AssetFile)] {
        var assets: [(key: String, file: AssetFile)] = []
        try db.each(
            "SELECT key, file \(held) AND key > ? ORDER BY key LIMIT ?", [.text(key), .integer(batch)]
        ) { row in
            assets.append((row.text(0), AssetFile(name: row.text(1))))
            return true
        }
        return assets
    }

    private func prune(_ db: SQLConnection) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(ExportFolder.assets))
        where try db.first("SELECT 1 \(Self.held) AND key = ?", .text(name), read: { _ in true }) == nil {
            try FileManager.default.removeItem(atPath: folder.asset(name))
        }
    }

    /// - Returns: false when the contents are gone.
    private func copy(_ file: AssetFile, of store: any AssetStore, as target: String) async throws -> Bool {
        if FileManager.default.fileExists(atPath: target) { return true }
        guard let contents = try await store.open(file) else { return false }
        if links, contents.file?.link(as: target) == true { return true }
        let unfinished = target + LineWriter.unfinished
        do { try await contents.copy(to: unfinished, isSynced: true) } catch {
            // The server may have collected the asset during the copy.
            guard try await store.open(file) != nil else { return false }
            throw error
        }
        guard rename(unfinished, target) == 0 else { throw FileFault.last("rename") }
        return true
    }
}
