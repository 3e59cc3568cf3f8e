import CloudAssets
import CloudModel
import CloudSQL

/// Deletes unreferenced assets. The writer confirms each deletion, so an asset being saved is never deleted.
extension StoredEnvironment {
    package func collectAssets() async throws -> Int {
        let now = now()
        try await writes.write(for: nil) { try ReceiptTable.deleteExpired(now: now, $0.db) }
        var collected = 0
        while true {
            // A reader does the search, so the writer stays free.
            let found = try await reads.read { db in try AssetTable.unneeded(now: now, limit: 200, db) }
            let gone = try await writes.write(for: nil) { transaction in
                try found.filter { try AssetTable.deleteUnneeded($0.id, now: now, transaction.db) }.map(\.file)
            }
            for file in gone {
                try await assets.delete(file)
                previews?.forget(file)
            }
            collected += gone.count
            if found.count < 200 || gone.isEmpty { return collected }
        }
    }

    /// Deletes contents and previews whose database row is gone, left by a crash during collection.
    package func sweepAssets() async throws {
        try await assets.sweep(known: known)
        try await previews?.sweep(known: known)
    }

    private func known(_ files: [AssetFile]) async throws -> Set<AssetFile> {
        try await reads.read { db in Set(try files.filter { try AssetTable.has($0, db) }) }
    }
}
