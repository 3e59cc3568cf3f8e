extension CKSyncEngine {
    /// Failures of a record in a single send, after which its remaining changes wait for the next send.
    private static let mostFailures = 5
    /// Limit on remembered unanswered versions per record.
    private static let mostMarks = 8

    func send(_ reason: SyncReason) async throws {
        if schedule.mustFetchFirst { try await fetch(reason) } else { try await settleAccount() }
        guard !state.pendingDatabaseChanges.isEmpty || state.hasPendingRecordChanges else { return }
        await deliver(.willSendChanges)
        do {
            try await sendDatabaseChanges()
            try await sendRecords(SendChangesContext(reason: reason))
            await deliver(.didSendChanges)
        } catch {
            await deliver(.didSendChanges)
            throw error
        }
    }

    private func sendDatabaseChanges() async throws {
        let changes = state.pendingDatabaseChanges
        guard !changes.isEmpty else { return }
        var saves: [CKRecordZone] = []
        var deletes: [CKRecordZone.ID] = []
        for change in changes {
            if case .saveZone(let id) = change {
                saves.append(CKRecordZone(zoneID: id))
            } else {
                deletes.append(change.zoneID)
            }
        }
        let results = try await database.modifyRecordZones(saving: saves, deleting: deletes)
        let failedSaves = results.saveResults.compactMap { id, result in result.failure.map { (zoneID: id, error: $0) }
        }
        let failedDeletes = results.deleteResults.compactMap { id, result in
            // Deleting an absent zone succeeds.
            result.failure.flatMap { $0.code == .zoneNotFound ? nil : (zoneID: id, error: $0) }
        }
        let failed = Set((failedSaves + failedDeletes).filter { $0.error.isTransient }.map(\.zoneID))
        let refused = Set((failedSaves + failedDeletes).map(\.zoneID))
        state.content.withLock { content in
            let rest = content.databaseChanges.filter { !changes.contains($0) || failed.contains($0.zoneID) }
            content.note(.database(rest))
            for zone in saves where !refused.contains(zone.zoneID) && content.zones[zone.zoneID] == nil {
                content.note(.zone(zone.zoneID, State.Zone()))
            }
            for id in deletes where !refused.contains(id) { content.note(.zone(id, nil)) }
        }
        await deliver(
            .sentDatabaseChanges(
                SentDatabaseChanges(
                    savedZones: saves.map(\.zoneID).filter { !refused.contains($0) }, failedZoneSaves: failedSaves,
                    deletedZoneIDs: deletes.filter { !refused.contains($0) }, failedZoneDeletes: failedDeletes)))
        await deliverState()
    }

    private func sendRecords(_ context: SendChangesContext) async throws {
        var failures: [CKRecord.ID: Int] = [:]
        var resting: Set<CKRecord.ID> = []
        var lastError: CKError?
        while true {
            // Read this before asking the app: the batch excludes changes added after this point.
            let latest = state.latestGeneration
            guard let batch = await nextBatch(context)?.without(resting) else { break }
            let errors = try await send(batch, generations(of: batch, until: latest))
            for (id, error) in errors {
                failures[id, default: 0] += 1
                guard error.isTransient || error.code == .quotaExceeded || failures[id] == Self.mostFailures else {
                    continue
                }
                resting.insert(id)
                lastError = error
            }
            state.moveBack(resting.intersection(errors.map(\.0)))
        }
        if let lastError { throw lastError }
    }

    /// The generations of a batch's changes, without changes added after the batch was requested.
    private func generations(of batch: RecordZoneChangeBatch, until latest: Int) -> [CKRecord.ID: Int] {
        state.content.withLock { content in
            var generations: [CKRecord.ID: Int] = [:]
            for id in batch.recordsToSave.map(\.recordID) + batch.recordIDsToDelete {
                guard let generation = content.pending[id]?.generation, generation <= latest else { continue }
                generations[id] = generation
            }
            return generations
        }
    }

    private func nextBatch(_ context: SendChangesContext) async -> RecordZoneChangeBatch? {
        guard !Task.isCancelled, state.hasPendingRecordChanges, let delegate else { return nil }
        return await Self.$isDelivering.withValue(true) {
            await delegate.nextRecordZoneChangeBatch(context, syncEngine: self)
        }
    }

    /// Sends a batch and returns its failures.
    private func send(
        _ batch: RecordZoneChangeBatch, _ generations: [CKRecord.ID: Int]
    ) async throws -> [(CKRecord.ID, CKError)] {
        var refused = try await database.refusedUploads(of: batch.recordsToSave)
        if batch.atomicByZone { refuseZones(of: &refused, in: batch) }
        let saves = batch.recordsToSave.filter { refused[$0.recordID] == nil }
            .map { RecordOperation.save($0, .ifServerRecordUnchanged) }
        let deletes = batch.recordIDsToDelete.filter { refused[$0] == nil }.map { RecordOperation.delete($0) }
        mark(batch, saves, generations)
        await deliverState()
        var results = try await database.modify(
            saves + deletes, atomically: batch.atomicByZone, refusedZonesAreResults: true)
        for (id, error) in refused {
            results.saveResults[id] = .failure(error)
            results.deleteResults[id] = .failure(error)
        }
        let outcome = Outcome(batch, results, before: generations, self)
        let still = settle(saved: outcome.saved, outcome.generations).union(settle(outcome))
        await deliver(
            .sentRecordZoneChanges(
                SentRecordZoneChanges(
                    savedRecords: outcome.saved, failedRecordSaves: outcome.failedSaves,
                    deletedRecordIDs: outcome.deleted, failedRecordDeletes: outcome.failedDeletes,
                    stillPending: still)))
        forgetSent(outcome)
        await deliverState()
        return outcome.failedSaves.map { ($0.record.recordID, $0.error) }
            + outcome.failedDeletes.map { ($0.recordID, $0.error) }
    }

    /// In atomic zones, a refused asset also refuses the zone's other changes.
    private func refuseZones(of refused: inout [CKRecord.ID: CKError], in batch: RecordZoneChangeBatch) {
        let zones = Set(refused.keys.map(\.zoneID))
        for id in batch.recordsToSave.map(\.recordID) + batch.recordIDsToDelete
        where zones.contains(id.zoneID) && refused[id] == nil {
            refused[id] = CKError(.batchRequestFailed, "An asset of another record of the batch was refused.")
        }
    }

    /// Records versions about to be sent, in addition to earlier unanswered versions: any of them may have arrived.
    private func mark(
        _ batch: RecordZoneChangeBatch, _ saves: [RecordOperation], _ generations: [CKRecord.ID: Int]
    ) {
        state.content.withLock { content in
            for operation in saves {
                guard case .save(let record, _) = operation.kind else { continue }
                let mark = State.InFlight(record, operation, generation: generations[record.recordID] ?? 0)
                let earlier = content.inFlight[record.recordID] ?? []
                content.note(.inFlight(record.recordID, earlier.suffix(Self.mostMarks - 1) + [mark]))
            }
        }
    }

    /// Removes completed and finally failed changes from the pending changes.
    private func settle(_ outcome: Outcome) -> Set<CKRecord.ID> {
        state.content.withLock { content in
            var done = Set(outcome.deleted)
            for (record, error) in outcome.failedSaves where !error.staysPending { done.insert(record.recordID) }
            for (id, error) in outcome.failedDeletes where !error.staysPending { done.insert(id) }
            for id in outcome.deleted {
                content.note(.known(id.zoneID, id.recordName, nil))
                content.clearInFlight(id)
            }
            var still: Set<CKRecord.ID> = []
            for id in done {
                guard let pending = content.pending[id] else { continue }
                if pending.generation == outcome.generations[id] {
                    content.note(.pending(id, nil))
                } else {
                    still.insert(id)
                }
            }
            return still
        }
    }

    /// Forgets sent versions of refused records, once the app has seen the refusals and merged.
    private func forgetSent(_ outcome: Outcome) {
        state.content.withLock { content in
            for (record, error) in outcome.failedSaves where !error.staysPending {
                content.clearInFlight(record.recordID)
            }
        }
    }
}

extension CKSyncEngine.RecordZoneChangeBatch {
    /// The batch without resting records; nil if empty.
    fileprivate func without(_ resting: Set<CKRecord.ID>) -> Self? {
        var rest = self
        rest.recordsToSave.removeAll { resting.contains($0.recordID) }
        rest.recordIDsToDelete.removeAll { resting.contains($0) }
        return rest.recordsToSave.isEmpty && rest.recordIDsToDelete.isEmpty ? nil : rest
    }
}

/// A batch's results.
private struct Outcome {
    var saved: [CKRecord] = []
    var failedSaves: [(record: CKRecord, error: CKError)] = []
    var deleted: [CKRecord.ID] = []
    var failedDeletes: [(recordID: CKRecord.ID, error: CKError)] = []
    let generations: [CKRecord.ID: Int]

    init(
        _ batch: CKSyncEngine.RecordZoneChangeBatch, _ results: CKDatabase.ModifyResults,
        before generations: [CKRecord.ID: Int], _ engine: CKSyncEngine
    ) {
        var generations = generations
        for record in batch.recordsToSave {
            guard let error = results.saveResults[record.recordID]?.failure else {
                saved.append(record)
                continue
            }
            if let server = error.serverRecord, let version = engine.sentVersion(of: server) {
                saved.append(server)
                generations[server.recordID] = version
            } else {
                failedSaves.append((record, error))
            }
        }
        for id in batch.recordIDsToDelete {
            if let error = results.deleteResults[id]?.failure, error.code != .unknownItem {
                failedDeletes.append((id, error))
            } else {
                deleted.append(id)
            }
        }
        self.generations = generations
    }
}

extension CKError {
    /// Whether the engine retries automatically.
    fileprivate var staysPending: Bool {
        isTransient || code == .batchRequestFailed || code == .quotaExceeded || code == .notAuthenticated
    }
}

extension Result {
    fileprivate var failure: CKError? {
        guard case .failure(let error) = self else { return nil }
        return error as? CKError ?? CKError(.internalError, "\(error)")
    }
}
