package import CloudModel

/// The zones of an environment's databases.
package struct ZoneStore: Sendable {
    let stored: StoredEnvironment

    /// The zones changed since a token in the private database of `owner` (reference A §8.4).
    package func readChanges(
        owner: String, syncToken: String?, limit: Int
    ) -> StoreRead<DatabaseChangesPage> {
        let tokens = stored.tokens
        return stored.reading { db in
            try DatabaseChanges.run(owner: owner, syncToken: syncToken, limit: limit, tokens: tokens, db)
        }
    }

    /// The zones changed since a token in a user's shared database (reference B §9.9).
    package func readChanges(
        sharedWith user: String, syncToken: String?, limit: Int
    ) -> StoreRead<DatabaseChangesPage> {
        let tokens = stored.tokens
        return stored.reading { db in
            try SharedZones.changes(user: user, syncToken: syncToken, limit: limit, tokens: tokens, db)
        }
    }

    /// All zones of an owner (reference A §7.1).
    package func read(owner: String) -> StoreRead<[ZoneState]> {
        let tokens = stored.tokens
        return stored.reading { db in try Zones.list(owner: owner, tokens: tokens, db) }
    }

    /// All zones of others in which a user sees records (reference B §9.9).
    package func read(sharedWith user: String) -> StoreRead<[ZoneState]> {
        let tokens = stored.tokens
        return stored.reading { db in try SharedZones.list(user: user, tokens: tokens, db) }
    }

    /// The requested zones; nil for a zone that the caller cannot see (reference A §7.2).
    package func read(_ zones: [ZoneID], for caller: Caller) -> StoreRead<[ZoneState?]> {
        let tokens = stored.tokens
        return stored.reading(.small) { db in try zones.map { try Zones.state($0, for: caller, tokens: tokens, db) } }
    }

    /// Creates and deletes zones; the result of a deletion is nil (reference A §7.3).
    package func modify(
        _ operations: [ZoneOperation], by requester: Requester, limits: Limits
    ) async throws -> [Result<ZoneState?, ServerError>] {
        let tokens = stored.tokens
        let context = WriteContext(requester, now: stored.now(), limits: limits)
        return try await stored.writes.write(for: context) { transaction in
            return try operations.map { operation in
                do {
                    switch operation {
                    case .create(let zone):
                        return .success(try Zones.create(zone, limits: limits, tokens: tokens, transaction))
                    case .delete(let zone):
                        try Zones.delete(zone, transaction)
                        return .success(nil)
                    }
                } catch let error as ServerError {
                    return .failure(error)
                }
            }
        }
    }

    package func changes(owner: String, syncToken: String?, limit: Int) async throws -> DatabaseChangesPage {
        try await readChanges(owner: owner, syncToken: syncToken, limit: limit).answer()
    }

    package func changes(
        sharedWith user: String, syncToken: String?, limit: Int
    ) async throws -> DatabaseChangesPage {
        try await readChanges(sharedWith: user, syncToken: syncToken, limit: limit).answer()
    }

    package func list(owner: String) async throws -> [ZoneState] { try await read(owner: owner).answer() }

    package func list(sharedWith user: String) async throws -> [ZoneState] {
        try await read(sharedWith: user).answer()
    }

    package func list(_ zones: [ZoneID], for caller: Caller) async throws -> [ZoneState?] {
        try await read(zones, for: caller).answer()
    }
}
