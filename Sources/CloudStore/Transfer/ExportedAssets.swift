import CloudModel
import Foundation
import CloudSQL

/// Brings the contents of the assets that records hold into an export, under their checksums.
struct ExportedAssets {
    /// Says where the assets are when it is told what the records' file says of that.
    let source: (String?) -> String
    let folder: ExportFolder
    /// Whether to give the store's own files another name, where that can be, instead of copying them.
    let links: Bool
    let report: ReportProgress

    private static let held = "FROM assets WHERE EXISTS (SELECT 1 FROM record_assets WHERE asset = assets.id)"

    /// Copies what is not there yet, and deletes what an earlier copy of the environment had and this one has not.
    ///
    /// - Returns: the checksums of assets whose contents are gone.
    func write(_ snapshot: EnvironmentSnapshot) throws -> [String] {
        try Folder.make(folder.path(ExportFolder.assets))
        defer { try? snapshot.connection.close() }
        return try snapshot.connection.use { db in
            try prune(db)
            let source = source(try AssetsFolder.name(db))
            let total = try ExportSummary.counts(db)[.assets] ?? 0
            var missing: [String] = []
            var done: Int64 = 0
            try db.each("SELECT key, file \(Self.held) ORDER BY key", []) { row in
                let (key, file) = (row.text(0), AssetFile(name: row.text(1)))
                if try !copy(FileAssetStore.path(of: file, in: source), as: folder.asset(key)) {
                    missing.append(AssetKey(key)?.fileChecksum ?? key)
                }
                done += 1
                report(TransferProgress(what: TransferList.assets.noun, done: done, total: total))
                return true
            }
            try Folder.sync(folder.path(ExportFolder.assets))
            return missing
        }
    }

    private func prune(_ db: SQLConnection) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(ExportFolder.assets))
        where try db.first("SELECT 1 \(Self.held) AND key = ?", .text(name), read: { _ in true }) == nil {
            try FileManager.default.removeItem(atPath: folder.asset(name))
        }
    }

    /// - Returns: false when there is no such file.
    private func copy(_ source: String, as target: String) throws -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: target) { return true }
        guard files.fileExists(atPath: source) else { return false }
        if links, link(source, target) == 0 { return true }
        let unfinished = target + LineWriter.unfinished
        do { try files.copyItem(atPath: source, toPath: unfinished) } catch {
            // Collected between the look and the copy.
            guard files.fileExists(atPath: source) else { return false }
            throw error
        }
        let written = try FileHandle(forUpdating: URL(filePath: unfinished))
        try written.synchronize()
        try written.close()
        try files.moveItem(atPath: unfinished, toPath: target)
        return true
    }
}
