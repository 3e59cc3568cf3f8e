import CloudModel
import CloudStore

/// What is asked under `assets/` (reference B §8), one file per endpoint.
package enum AssetEndpoints {}

extension DatabaseCall {
    /// Who the receipts of this call will be for.
    var assetUser: String { identity.caller.userRecordName ?? ZoneID.publicOwner }

    /// The zone, which must be there: an upload for one that is not would be in vain.
    func existingZone(_ json: JSONValue?) async throws -> ZoneID {
        let zone = try zone(json)
        guard let state = try await store.zones([zone], for: identity.caller).first, state != nil else {
            throw ServerError(.zoneNotFound, "Zone not found")
        }
        return zone
    }

    /// The refusal of a caller who may not write records of this type anyway; nil elsewhere than in public.
    func assetRefusal(recordType: String?, zone: ZoneID) async throws -> ServerError? {
        guard zone.owner == ZoneID.publicOwner else { return nil }
        let caller = identity.caller
        let grants = recordType.flatMap { store.catalog.types[$0]?.grants } ?? .standard
        var roles: Set<String> = []
        if grants.nameCustomRoles, let user = caller.userRecordName { roles = try await store.roles(of: user) }
        if grants.allow(.write, to: caller, roles: roles, creator: caller.userRecordName) { return nil }
        return grants.refusal(.create, to: caller, roles: roles, creator: nil)
    }
}

extension JSONValue {
    /// A string that an element of a request must have.
    func text(_ key: String, at place: String) throws(ServerError) -> String {
        guard let object else { throw .badRequest("\(place) must be an object, not \(kind)") }
        guard let value = object[key] else { throw .badRequest("\(place).\(key) is missing") }
        guard let text = value.string else { throw .badRequest("\(place).\(key) must be a string, not \(value.kind)") }
        return text
    }
}
