import CloudModel
import CloudStore

extension AssetEndpoints {
    /// `assets/rereference`: receipts for assets of existing records (reference B §8.5).
    package static let rereference: Endpoint = { call in
        let elements = try call.elements("assets", limit: call.limits.assets.perRequest)
        let source = try await call.existingZone(call.body["zoneID"])
        let target = try await call.existingZone(call.body["targetZoneID"] ?? call.body["zoneID"])
        if let refusal = try await call.assetRefusal(recordTypes: [nil], zone: target) { throw refusal }
        var wanted: [(recordName: String, fieldName: String)] = []
        for (index, element) in elements.enumerated() {
            wanted.append(
                (
                    try element.text("recordName", at: "assets[\(index)]"),
                    try element.text("fieldName", at: "assets[\(index)]")
                ))
        }
        let records = try await call.store.records.lookup(
            LookupRequest(zone: source, names: wanted.map(\.recordName), caller: call.identity.caller))
        var keys: [Result<AssetKey, ServerError>] = []
        for (record, wanted) in zip(records, wanted) {
            keys.append(
                Result { () throws(ServerError) in try key(in: try record.get(), field: wanted.fieldName) })
        }
        let assets = try await call.store.assets.rereference(
            keys.map { try? $0.get() }, owner: target.owner, user: call.assetUser)
        return respond(wanted.map(\.recordName), keys, assets)
    }

    private static func respond(
        _ names: [String], _ keys: [Result<AssetKey, ServerError>], _ assets: [Asset?]
    ) -> JSONWriter {
        var writer = JSONWriter(capacity: 320 * names.count + 64)
        writer.object {
            $0.key("assets")
            $0.array {
                for (index, name) in names.enumerated() {
                    if let asset = assets[index] {
                        asset.writeReceipt(to: &$0)
                    } else if case .failure(let error) = keys[index] {
                        $0.recordError(name, error)
                    } else {
                        $0.recordError(
                            name,
                            ServerError(
                                .notFound, "the file of the asset is no longer stored; upload it again",
                                .missing(.asset)))
                    }
                }
            }
        }
        return writer
    }

    /// The asset in a field of a stored record.
    private static func key(in body: RecordBody, field: String) throws(ServerError) -> AssetKey {
        let record = try? body.json()
        let value = record?["fields"]?.object?[field]?.object?["value"]
        let values: [JSONValue] = value?.array ?? value.map { [$0] } ?? []
        let keys = values.compactMap { $0.object?["fileChecksum"]?.string.flatMap(AssetKey.init) }
        guard let key = keys.first else {
            throw ServerError(.notFound, "the record has no asset in field '\(Naming.shown(field))'", .missing(.asset))
        }
        guard keys.count == 1 else {
            throw .badRequest("field '\(Naming.shown(field))' holds \(keys.count) assets, and this takes one")
        }
        return key
    }
}
