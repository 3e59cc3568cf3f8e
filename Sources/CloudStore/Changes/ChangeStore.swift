import CloudModel

/// The changes of an environment's zones.
package struct ChangeStore: Sendable {
    let stored: StoredEnvironment

    /// The changes of one zone since a token (reference A §8.2).
    package func read(_ request: ZoneChangesRequest) -> StoreRead<ZoneChangesPage> {
        let tokens = stored.tokens
        return stored.reading(allowance: request.allowance) { db in try request.run(db, tokens: tokens) }
    }

    package func changes(_ request: ZoneChangesRequest) async throws -> ZoneChangesPage {
        try await read(request).answer()
    }
}
