package import CloudModel

/// The zones of the databases of an environment.
package protocol ZoneStore: Sendable {
    /// The zones changed since a token in the private database of `owner` (reference A §8.4).
    func readChangedZones(owner: String, syncToken: String?, limit: Int) -> StoreRead<DatabaseChangesPage>

    /// The same for what others share with a user (reference B §9.9).
    func readChangedZones(sharedWith user: String, syncToken: String?, limit: Int) -> StoreRead<DatabaseChangesPage>

    /// All zones of an owner (reference A §7.1).
    func readZones(owner: String) -> StoreRead<[ZoneState]>

    /// All zones of others that a user sees something of (reference B §9.9).
    func readZones(sharedWith user: String) -> StoreRead<[ZoneState]>

    /// Each of these zones, nil for one that does not exist for the caller (reference A §7.2).
    func readZones(_ zones: [ZoneID], for caller: Caller) -> StoreRead<[ZoneState?]>

    /// Makes and deletes zones; nil for a deleted one (reference A §7.3).
    func modify(
        _ operations: [ZoneOperation], by requester: Requester, limits: Limits
    ) async throws -> [Result<ZoneState?, ServerError>]

    /// Takes a user out of every share of each of these zones of others (reference B §9.5).
    ///
    /// - Parameter clientID: what the client they do it with calls itself; it is not told.
    /// - Returns: whether there was any, in the zones' order.
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
