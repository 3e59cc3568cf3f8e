package import CloudModel

/// The records of an environment: all its databases, zones and change feeds.
package protocol RecordStore: Sendable {
    /// The schema as of the last commit.
    var catalog: Catalog { get }

    /// records/modify: outcomes in the order of the operations (reference A §4).
    func modify(_ request: ModifyRequest) async throws -> ModifyResult

    /// records/lookup: records as the request shows them, or refusals, in the order asked for (reference A §6).
    func read(_ request: LookupRequest) -> StoreRead<[Result<RecordBody, ServerError>]>

    /// records/query: one page (reference A §5).
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
