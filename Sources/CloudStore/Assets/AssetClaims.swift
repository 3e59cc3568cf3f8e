package import CloudModel
import CloudSQL

/// Checks whether assets in an operation may become part of its record (reference B §8.3).
struct AssetClaims {
    /// The owner of the record's database.
    let owner: String
    let user: String
    let now: Timestamp

    /// - Parameters:
    ///   - fields: the fields in the operation.
    ///   - old: the fields of the record as stored; nil for a new record.
    /// - Throws: `BAD_REQUEST` for the first invalid claim.
    func check(_ fields: [(definition: FieldDefinition, value: FieldValue?)], old: JSONObject?, _ db: SQLConnection)
        throws
    {
        guard fields.contains(where: { $0.definition.type.kind == .asset }) else { return }
        for (definition, value) in fields where definition.type.kind == .asset {
            let assets = value?.assets ?? []
            if assets.isEmpty { continue }
            let held = Self.sizes(in: old?[definition.name]?.object?["value"])
            for asset in assets where held[asset.key] != asset.size {
                if let fault = try fault(of: asset, db) {
                    throw ServerError.badRequest(
                        "field '\(known: definition.name)' has no valid asset receipt: \(fault)")
                }
            }
        }
    }

    private func fault(of asset: Asset, _ db: SQLConnection) throws -> Reason? {
        guard let receipt = asset.receipt else {
            return "there is none, and the field does not hold this asset already; upload the file, or use "
                + "assets/rereference"
        }
        // Unknown receipts and other users' receipts get the same error text.
        guard let known = try ReceiptTable.find(receipt, db), known.owner == owner, known.user == user else {
            return "it is unknown in this database"
        }
        guard known.expires > now else { return "it has expired, 24 hours after the upload" }
        guard known.key == asset.key.text else { return "fileChecksum is not that of the upload" }
        guard known.size == asset.size else { return "size is \(asset.size), and \(known.size) bytes were uploaded" }
        return nil
    }

    /// The sizes of the assets in a stored value, a single asset or an array.
    private static func sizes(in value: JSONValue?) -> [AssetKey: Int64] {
        let values: [JSONValue] = value?.array ?? value.map { [$0] } ?? []
        var sizes: [AssetKey: Int64] = [:]
        for asset in values.compactMap(\.object) {
            guard let key = asset["fileChecksum"]?.string.flatMap(AssetKey.init) else { continue }
            sizes[key] = asset["size"]?.integer
        }
        return sizes
    }
}

extension FieldValue {
    /// The assets in this value, in order.
    package var assets: [Asset] {
        let scalars =
            switch self {
            case .one(let scalar): [scalar]
            case .list(let scalars): scalars
            }
        return scalars.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
    }
}
