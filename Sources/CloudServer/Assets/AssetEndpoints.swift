import CloudModel
import CloudStore

/// The endpoints under `assets/` (reference B §8), one file per endpoint.
package enum AssetEndpoints {}

extension DatabaseCall {
    /// The user whom the receipts of this call will be for.
    var assetUser: String { identity.caller.userRecordName ?? ZoneID.publicOwner }

    /// The zone, which must be there: an upload for one that is not would be in vain.
    func existingZone(_ json: JSONValue?) async throws -> ZoneID {
        let zone = try zone(json)
        guard let state = try await store.zones([zone], for: identity.caller).first, state != nil else {
            throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
        }
        return zone
    }

    /// The refusal of a caller who may not write records of these types anyway; nil elsewhere than in public.
    func assetRefusal(recordTypes: [String?], zone: ZoneID) async throws -> ServerError? {
        guard zone.owner == ZoneID.publicOwner else { return nil }
        return try await store.refusal(ofSaving: recordTypes, as: identity.caller)
    }
}

extension JSONValue {
    /// A string that an element of a request must have.
    func text(_ key: String, at place: String) throws(ServerError) -> String {
        guard let object else { throw .badRequest("\(known: place) must be an object, not \(known: kind)") }
        guard let value = object[key] else { throw .badRequest("\(known: place).\(known: key) is missing") }
        guard let text = value.string else {
            throw .badRequest("\(known: place).\(known: key) must be a string, not \(known: value.kind)")
        }
        return text
    }
}
