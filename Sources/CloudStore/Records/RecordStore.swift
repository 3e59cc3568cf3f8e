package import CloudModel

/// The records of an environment: all databases, zones and change feeds.
package protocol RecordStore: Sendable {
    /// The schema as of the last commit.
    var catalog: Catalog { get }

    /// Runs records/modify; returns outcomes in the order of the operations (reference A §4).
    func modify(_ request: ModifyRequest) async throws -> ModifyResult

    /// Runs records/lookup; returns transformed records or errors in the order of the request (reference A §6).
    func read(_ request: LookupRequest) -> StoreRead<[Result<RecordBody, ServerError>]>

    /// Runs records/query; returns one page (reference A §5).
    func read(_ request: QueryRequest) -> StoreRead<QueryPage>

    /// The changes of one zone since a token (reference A §8.2).
    func read(_ request: ZoneChangesRequest) -> StoreRead<ZoneChangesPage>
}

extension RecordStore {
    package func lookup(_ request: LookupRequest) async throws -> [Result<RecordBody, ServerError>] {
        try await read(request).answer()
    }

    package func query(_ request: QueryRequest) async throws -> QueryPage { try await read(request).answer() }

    package func changes(_ request: ZoneChangesRequest) async throws -> ZoneChangesPage {
        try await read(request).answer()
    }
}
