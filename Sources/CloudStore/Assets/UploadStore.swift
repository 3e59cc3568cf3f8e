package import CloudAssets
import CloudEngine
import CloudMedia
package import CloudModel
import CloudSQL
package import NIOCore

/// Uploads, serves and collects the assets of an environment.
package struct UploadStore: Sendable {
    let stored: StoredEnvironment

    /// The description of an asset; nil if no such asset is stored.
    package func find(_ key: AssetKey) async throws -> AssetDescription? {
        try await stored.reads.read(.small) { db in try AssetTable.find(key, db)?.description }
    }

    /// The contents of an asset; nil if they are lost.
    package func open(_ asset: AssetKey) async throws -> (any AssetReading)? {
        guard let row = try await stored.reads.read(.small, { db in try AssetTable.find(asset, db) }) else {
            return nil
        }
        return try await whole(row)
    }

    /// The contents of an asset; nil, with a reported fault, if missing or truncated.
    private func whole(_ row: AssetTable.Row) async throws -> (any AssetReading)? {
        let reader = try await stored.assets.open(row.file)
        guard reader?.size == row.description.size else {
            let found = reader.map { "\($0.size) of \(row.description.size) bytes" } ?? "nothing"
            stored.file.tell(StoreFault(.brokenAsset, "has \(found) of the asset in \(row.file.name)"))
            return nil
        }
        return reader
    }

    /// A small copy of a picture asset without metadata; nil if no preview can be made.
    ///
    /// - Parameters:
    ///   - isAhead: true if nobody waits for it, so that making it gives way to other work.
    ///   - visitor: the network of the visitor who asks; nil if nobody does.
    package func preview(
        of asset: AssetKey, _ size: PreviewSize, as format: PreviewFormat = .jpeg, isAhead: Bool = false,
        for visitor: String? = nil
    ) async throws -> Preview? {
        guard let previews = stored.previews,
            let row = try await stored.reads.read(.small, { db in try AssetTable.find(asset, db) })
        else { return nil }
        return try await previews.preview(
            of: row, size, as: format, in: stored.assets, isAhead: isAhead, for: visitor,
            account: { [stored] in
                try await stored.reads.read(.small) { db in try AssetTable.account(of: row.id, db) }
            },
            hdr: { try await facts(of: asset)?.hdr ?? .standard })
    }

    /// Begins to make a preview that somebody is about to ask for. Failures are met by whoever asks.
    package func prepare(_ size: PreviewSize, of asset: AssetKey) {
        stored.previews?.prepare(asset) { _ = try? await preview(of: asset, size) }
    }

    /// Returns true if the upload URL has been used.
    package func isUsed(_ upload: UploadTicket) async throws -> Bool {
        try await stored.reads.read(.small) { db in try ReceiptTable.has(upload, db) }
    }

    /// - Parameters:
    ///   - owner: the owner of the upload's database.
    ///   - address: the client's address; nil for an operator.
    /// - Throws: `QUOTA_EXCEEDED` when the user's unclaimed uploads reach their limit, or an asset quota is full;
    ///   `THROTTLED` when the address reaches its limit.
    package func checkRoom(of user: String, owner: String, from address: String?) async throws {
        try await stored.reads.read(.small) { [limits = stored.limits] db in
            try UnclaimedUploads.checkRoom(user, limits: limits, db)
            try UnclaimedUploads.checkRoom(from: address, limits: limits, db)
            let quotas = limits.quotas
            guard quotas.boundsAssets else { return }
            try QuotaBound(quotas, owner: owner)?
                .checkRoom(UsageTable.find(owner: owner, db).assets, .assetBytes)
            try QuotaBound(quotas, owner: nil)?.checkRoom(UsageTable.total(db).assets, .assetBytes)
        }
    }

    /// Stores the contents of an asset in bounded memory (reference B §8.2).
    ///
    /// - Parameter address: the client's address; nil for an operator.
    /// - Returns: the asset with its receipt.
    /// - Throws: ``AssetTooLarge`` past `limit` bytes, ``AssetStoreFull``, ``UploadUsed``; `QUOTA_EXCEEDED` and
    ///   `THROTTLED`; errors of `contents`.
    package func upload<Contents: AsyncSequence & Sendable>(
        _ upload: UploadTicket, from address: String?, _ contents: Contents, limit: Int
    ) async throws -> Asset where Contents.Element == ByteBuffer {
        let receipt = RandomText.base64(bytes: 33)
        let (now, assets, limits) = (stored.now(), stored.assets, stored.limits)
        try await checkRoom(of: upload.user, owner: upload.owner, from: address)
        return try await assets.take(contents, limit: limit) { taken in
            let key = taken.description.key
            let found = try await stored.reads.read(.small) { db in try AssetTable.find(key, db) }
            // A restored backup may name missing files.
            let isLost = if let found { try await whole(found) == nil } else { false }
            return try await stored.writes.write(for: nil) { transaction in
                guard try !ReceiptTable.has(upload, transaction.db) else { throw UploadUsed() }
                let row = try AssetTable.find(key, transaction.db)
                let id = try row?.id ?? AssetTable.insert(taken, transaction.db)
                if row != nil && isLost { try AssetTable.replaceFile(of: id, by: taken.file, transaction.db) }
                try ReceiptTable.insert(
                    upload, from: address, receipt: receipt, asset: id, now: now, transaction.db)
                try UnclaimedUploads.check(upload.user, limits: limits, transaction.db)
                try UnclaimedUploads.check(from: address, limits: limits, transaction.db)
                return (
                    row == nil || isLost, Asset(key: key, size: taken.description.size, receipt: receipt)
                )
            }
        }
    }

    /// New receipts for stored assets; nil for a missing asset (reference B §8.5).
    ///
    /// - Parameters:
    ///   - owner: the owner of the database that accepts the receipts.
    ///   - user: the user who may use the receipts.
    package func rereference(
        _ keys: [AssetKey?], owner: String, user: String
    ) async throws -> [Asset?] {
        let (now, limits) = (stored.now(), stored.limits)
        let receipts = keys.map { _ in (UploadTicket(owner: owner, user: user), RandomText.base64(bytes: 33)) }
        return try await stored.writes.write(for: nil) { transaction in
            let renewed: [Asset?] = try zip(keys, receipts).map { key, receipt in
                guard let key, let row = try AssetTable.find(key, transaction.db) else { return nil }
                try ReceiptTable.insert(receipt.0, receipt: receipt.1, asset: row.id, now: now, transaction.db)
                return Asset(key: key, size: row.description.size, receipt: receipt.1)
            }
            try UnclaimedUploads.check(user, limits: limits, transaction.db)
            return renewed
        }
    }
}

/// Thrown when an upload URL was already used.
package struct UploadUsed: Error {
    package init() {}
}
