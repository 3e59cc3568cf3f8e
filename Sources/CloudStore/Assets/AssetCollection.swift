import CloudAssets
import CloudModel
import CloudSQL

/// Deletes unreferenced assets. The writer confirms each deletion, so an asset being saved is never deleted.
extension UploadStore {
    /// Deletes assets without a record and without a valid receipt; returns their number.
    package func collect() async throws -> Int {
        let now = stored.now()
        try await stored.writes.write(for: nil) { try ReceiptTable.deleteExpired(now: now, $0.db) }
        var collected = 0
        while true {
            // A reader does the search, so the writer stays free.
            let found = try await stored.reads.read { db in try AssetTable.unneeded(now: now, limit: 200, db) }
            let gone = try await stored.writes.write(for: nil) { transaction in
                try found.filter { try AssetTable.deleteUnneeded($0.id, now: now, transaction.db) }.map(\.file)
            }
            for file in gone {
                try await stored.assets.delete(file)
                stored.previews?.forget(file)
            }
            collected += gone.count
            if found.count < 200 || gone.isEmpty { return collected }
        }
    }

    /// Deletes contents and previews whose database row is gone, left by a crash during collection.
    package func sweep() async throws {
        try await stored.assets.sweep(known: known)
        try await stored.previews?.sweep(known: known)
    }

    private func known(_ files: [AssetFile]) async throws -> Set<AssetFile> {
        try await stored.reads.read { db in Set(try files.filter { try AssetTable.has($0, db) }) }
    }
}
