package import CloudModel

/// The zones of an environment's databases.
package protocol ZoneStore: Sendable {
    /// The zones changed since a token in the private database of `owner` (reference A §8.4).
    func readChangedZones(owner: String, syncToken: String?, limit: Int) -> StoreRead<DatabaseChangesPage>

    /// The zones changed since a token in a user's shared database (reference B §9.9).
    func readChangedZones(sharedWith user: String, syncToken: String?, limit: Int) -> StoreRead<DatabaseChangesPage>

    /// All zones of an owner (reference A §7.1).
    func readZones(owner: String) -> StoreRead<[ZoneState]>

    /// All zones of others in which a user sees records (reference B §9.9).
    func readZones(sharedWith user: String) -> StoreRead<[ZoneState]>

    /// The requested zones; nil for a zone that the caller cannot see (reference A §7.2).
    func readZones(_ zones: [ZoneID], for caller: Caller) -> StoreRead<[ZoneState?]>

    /// Creates and deletes zones; the result of a deletion is nil (reference A §7.3).
    func modify(
        _ operations: [ZoneOperation], by requester: Requester, limits: Limits
    ) async throws -> [Result<ZoneState?, ServerError>]

    /// Removes a user from all shares of these zones of others (reference B §9.5).
    ///
    /// - Parameter clientID: the requesting client's own name; the client is not notified.
    /// - Returns: for each zone, whether the user was a member of any share.
    func leave(_ zones: [ZoneID], as user: String, clientID: String?, limits: Limits) async throws -> [Bool]
}

extension ZoneStore {
    package func changedZones(owner: String, syncToken: String?, limit: Int) async throws -> DatabaseChangesPage {
        try await readChangedZones(owner: owner, syncToken: syncToken, limit: limit).answer()
    }

    package func changedZones(
        sharedWith user: String, syncToken: String?, limit: Int
    ) async throws -> DatabaseChangesPage {
        try await readChangedZones(sharedWith: user, syncToken: syncToken, limit: limit).answer()
    }

    package func zones(owner: String) async throws -> [ZoneState] { try await readZones(owner: owner).answer() }

    package func zones(sharedWith user: String) async throws -> [ZoneState] {
        try await readZones(sharedWith: user).answer()
    }

    package func zones(_ zones: [ZoneID], for caller: Caller) async throws -> [ZoneState?] {
        try await readZones(zones, for: caller).answer()
    }
}
