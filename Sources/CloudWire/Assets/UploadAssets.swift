import CloudHTTP
import CloudModel
import CloudStore

extension AssetEndpoints {
    /// `assets/upload`: an upload link per asset, in request order (reference B §8.1).
    package static let upload: Endpoint = { call in
        let elements = try call.elements("tokens", limit: call.limits.assets.perRequest)
        let zone = try await call.existingZone(call.body["zoneID"])
        var writer = JSONWriter(capacity: 512 * elements.count + 64)
        var tokens: [Token] = []
        for (index, element) in elements.enumerated() {
            tokens.append(try Token(element, at: "tokens[\(index)]", limits: call.limits))
        }
        if let refusal = try await call.assetRefusal(recordTypes: tokens.map(\.recordType), zone: zone) {
            throw refusal
        }
        try await call.store.assets.checkRoom(
            of: call.assetUser, owner: zone.owner, from: call.trace.address.flatMap(ClientAddress.network))
        writer.object {
            $0.key("tokens")
            $0.array {
                for token in tokens {
                    $0.object {
                        $0.member("recordName", token.recordName)
                        $0.member("fieldName", token.fieldName)
                        $0.member(
                            "url", call.links.upload(UploadTicket(owner: zone.owner, user: call.assetUser)))
                    }
                }
            }
        }
        return writer
    }

    private struct Token {
        let recordName: String
        let recordType: String
        let fieldName: String

        init(_ json: JSONValue, at place: String, limits: Limits) throws(ServerError) {
            recordType = try json.text("recordType", at: place)
            fieldName = try json.text("fieldName", at: place)
            let name: String? = json.object?["recordName"] == nil ? nil : try json.text("recordName", at: place)
            let fault =
                (recordType == RecordType.users ? nil : Naming.fault(recordType: recordType))
                ?? Naming.fault(fieldName: fieldName)
                ?? name.flatMap { Naming.fault(recordName: $0, limit: limits.recordNameCharacters, system: true) }
            if let fault { throw .badRequest("\(known: place): \(fault)") }
            recordName = name ?? RandomUUID.make(.names)
        }
    }
}
