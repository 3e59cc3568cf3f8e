package import CloudModel

/// The records of an environment, in all databases and zones.
package struct RecordStore: Sendable {
    let stored: StoredEnvironment

    /// The schema as of the last commit.
    package var catalog: Catalog { stored.published.catalog }

    /// Runs records/modify; returns outcomes in the order of the operations (reference A §4).
    package func modify(_ request: ModifyRequest) async throws -> ModifyResult {
        try await write(request).answer()
    }

    /// ``modify(_:)``, checked against the schema at once.
    package func write(_ request: ModifyRequest) -> StoreWrite<ModifyResult> {
        let catalog = stored.catalog
        let prepared = request.operations.map { operation in
            switch operation {
            case .success(let operation):
                Preparation(
                    operation, type: operation.recordType, catalog: catalog, zone: request.zone, limits: request.limits)
            case .failure(let refused): Preparation.refused(refused.error)
            }
        }
        let run = ModifyRecords(
            request: request, prepared: prepared, preparedVersion: catalog.version, environment: stored.environment,
            now: stored.now(),
            names: request.operations.map { (try? $0.get().recordName) ?? RandomUUID.make(.names) },
            shortGUIDs: stored.shortGUIDs)
        let context = WriteContext(
            Requester(user: request.caller.userRecordName, clientID: request.clientID), now: run.now,
            limits: request.limits, isBounded: request.caller != .operator)
        let (isDry, writes) = (DryRun.isOn, stored.writes)
        return StoreWrite { trace, done in
            writes.start(for: context, about: run.onlyRecord, isDry: isDry, trace, run.run) { outcomes in
                done(Result { try ModifyResult(outcomes) })
            }
        }
    }

    /// Runs records/lookup; returns transformed records or errors in the order of the request (reference A §6).
    package func read(_ request: LookupRequest) -> StoreRead<[Result<RecordBody, ServerError>]> {
        let (published, roleMemory) = (stored.published, stored.roleMemory)
        return stored.reading(
            request.isSmall ? .small : .unknown, allowance: request.allowance, prefetch: { request.prefetch }
        ) { db in
            // Before the snapshot, which begins with the catalog.
            let roles = roleMemory.reader()
            return try request.run(db, catalog: published.current(db), roles: roles)
        }
    }

    package func lookup(_ request: LookupRequest) async throws -> [Result<RecordBody, ServerError>] {
        try await read(request).answer()
    }

}
