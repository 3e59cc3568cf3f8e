import CloudAssets
import CloudModel
import CloudSQL

/// Drops what nothing refers to any more (never a thing that is being saved: the writer itself decides that).
extension StoredEnvironment {
    package func collectAssets() async throws -> Int {
        let now = now()
        try await writes.write(for: nil) { try ReceiptTable.deleteExpired(now: now, $0.db) }
        var collected = 0
        while true {
            // Found by a reader, so that the writer is not held up by the search.
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

    /// Drops what a crash between the two has left: contents without a row, and previews of them.
    package func sweepAssets() async throws {
        try await assets.sweep(known: known)
        try await previews?.sweep(known: known)
    }

    private func known(_ files: [AssetFile]) async throws -> Set<AssetFile> {
        try await reads.read { db in Set(try files.filter { try AssetTable.has($0, db) }) }
    }
}
