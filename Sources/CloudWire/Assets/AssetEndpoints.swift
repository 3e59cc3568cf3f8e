package import CloudModel
import CloudStore

/// Endpoints under `assets/` (reference B §8), one file per endpoint.
package enum AssetEndpoints {}

extension DatabaseCall {
    /// The user named in receipts of this call.
    var assetUser: String { identity.caller.userRecordName ?? ZoneID.publicOwner }

    /// Requires an existing zone: an upload to a missing zone would be useless.
    func existingZone(_ json: JSONValue?) async throws -> ZoneID {
        let zone = try zone(json)
        guard let state = try await store.zones.list([zone], for: identity.caller).first, state != nil else {
            throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
        }
        return zone
    }

    /// Refuses early if the caller may not save records of these types; nil outside the public database.
    func assetRefusal(recordTypes: [String?], zone: ZoneID) async throws -> ServerError? {
        guard zone.owner == ZoneID.publicOwner else { return nil }
        return try await store.roles.refusal(ofSaving: recordTypes, as: identity.caller)
    }
}

extension JSONValue {
    /// Parses a required string member of a request element.
    package func text(_ key: String, at place: String) throws(ServerError) -> String {
        guard let object else { throw .badRequest("\(known: place) must be an object, not \(known: kind)") }
        guard let value = object[key] else { throw .badRequest("\(known: place).\(known: key) is missing") }
        guard let text = value.string else {
            throw .badRequest("\(known: place).\(known: key) must be a string, not \(known: value.kind)")
        }
        return text
    }
}
