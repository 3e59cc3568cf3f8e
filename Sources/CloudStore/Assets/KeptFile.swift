package import CloudAssets
package import CloudModel

/// A stored asset with what its file tells of itself.
package struct KeptFile: Sendable {
    package let asset: AssetDescription
    /// True for a picture or a video that the server makes previews of.
    package let hasPreview: Bool
    /// The mean color; nil until a tile has been made.
    package let color: PictureColor?
    /// Nil until the file has been read.
    package let facts: FileFacts?
    /// True if a newer program has still to read the file, or it was never read.
    package let isWaiting: Bool
}

extension UploadStore {
    /// Stored assets with their facts, in one statement. Missing assets are left out.
    package func files(_ keys: Set<AssetKey>) async throws -> [AssetKey: KeptFile] {
        guard !keys.isEmpty else { return [:] }
        let rows = try await stored.reads.read(.small) { db in try AssetTable.find(keys, db) }
        var files: [AssetKey: KeptFile] = [:]
        files.reserveCapacity(rows.count)
        for row in rows {
            let hasPreview = try await stored.previews?.accepts(row.asset, in: stored.assets) ?? false
            files[row.asset.description.key] = KeptFile(
                asset: row.asset.description, hasPreview: hasPreview,
                color: hasPreview ? stored.previews?.color(of: row.asset.file) : nil, facts: row.known?.facts,
                isWaiting: row.known?.isCurrent != true)
        }
        return files
    }

    /// The facts of an asset, read now unless they are known; nil if no such asset is stored.
    ///
    /// - Throws: `THROTTLED` while too many files wait to be read; errors of the store.
    package func facts(of key: AssetKey) async throws -> FileFacts? {
        guard let row = try await stored.reads.read(.small, { db in try AssetTable.find([key], db).first }) else {
            return nil
        }
        if let known = row.known, known.isCurrent { return known.facts }
        return try await stored.facts.facts(of: row.asset)
    }

    /// Returns when the facts of all files that records hold are known.
    package func finishFacts() async { await stored.facts.finished() }
}
