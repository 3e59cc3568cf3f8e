import CloudModel
import CloudSQL

/// The check of the assets that an operation saves: may they become part of its record (reference B §8.3).
struct AssetClaims {
    /// Of the database the record is in.
    let owner: String
    let user: String
    let now: Timestamp

    /// - Parameters:
    ///   - fields: those the operation names.
    ///   - old: the fields of the record as stored; nil for a new record.
    /// - Throws: `BAD_REQUEST` for the first claim that is not good.
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
        // The same words for a receipt nobody gave out and one of somebody else's.
        guard let known = try ReceiptTable.find(receipt, db), known.owner == owner, known.user == user else {
            return "it is unknown in this database"
        }
        guard known.expires > now else { return "it has expired, 24 hours after the upload" }
        guard known.key == asset.key.text else { return "fileChecksum is not that of the upload" }
        guard known.size == asset.size else { return "size is \(asset.size), and \(known.size) bytes were uploaded" }
        return nil
    }

    /// The assets in a stored value, which is one or an array, and how large they are.
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
    /// The assets among its values, in order.
    var assets: [Asset] {
        let scalars =
            switch self {
            case .one(let scalar): [scalar]
            case .list(let scalars): scalars
            }
        return scalars.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
    }
}
