import Foundation

extension CKSyncEngine {
    func fetch(_ reason: SyncReason) async throws {
        try await settleAccount()
        await deliver(.willFetchChanges)
        do {
            try await fetchDatabase()
            try await fetchZones()
            schedule.fetched()
            await deliver(.didFetchChanges)
        } catch {
            await deliver(.didFetchChanges)
            throw error
        }
    }

    private func fetchDatabase() async throws {
        var isMore = true
        while isMore {
            let page: CKDatabase.DatabaseChange
            do {
                page = try await database.databaseChanges(since: state.serialization.databaseToken)
            } catch let error as CKError where error.code == .changeTokenExpired {
                guard state.serialization.databaseToken != nil else { throw error }
                try await readDatabaseAnew(restoredTo: error.restoredTo)
                continue
            }
            await take(modified: page.modifications.map(\.zoneID), deleted: page.deletions)
            state.content.withLock { $0.databaseToken = page.changeToken }
            await deliverState()
            isMore = page.moreComing
        }
    }

    /// Without a token the server does not report deleted zones, so known zones missing from its full list count as deleted.
    /// The tokens of the other zones stay in use until the server refuses them.
    private func readDatabaseAnew(restoredTo: Date?) async throws {
        let there = Set(try await database.allRecordZones().map(\.zoneID))
        let gone = state.serialization.zones.keys.filter { !there.contains($0) }
        await take(
            modified: [], deleted: gone.map { .init(zoneID: $0, reason: .missingAfterResync(restoredTo: restoredTo)) })
        state.content.withLock { $0.databaseToken = nil }
    }

    private func take(modified: [CKRecordZone.ID], deleted: [CKDatabase.DatabaseChange.Deletion]) async {
        let deletions = state.content.withLock { content in
            for id in modified {
                var zone = content.zones[id] ?? State.Zone()
                zone.needsFetch = true
                content.note(.zone(id, zone))
            }
            return deleted.compactMap { deletion -> ZoneDeletion? in
                let id = deletion.zoneID
                let isKnown = content.zones[id] != nil
                content.note(.zone(id, nil))
                let dropped = content.pending.all.map(\.change).filter { $0.recordID.zoneID == id }
                // Changes queued for a zone pending creation do not belong to its deleted namesake.
                guard isKnown, !content.databaseChanges.contains(.saveZone(id)) else { return nil }
                for change in dropped { content.note(.pending(change.recordID, nil)) }
                for record in content.inFlight.keys where record.zoneID == id { content.clearInFlight(record) }
                return ZoneDeletion(zoneID: id, reason: deletion.reason, dropped: dropped)
            }
        }
        guard !modified.isEmpty || !deletions.isEmpty else { return }
        await deliver(.fetchedDatabaseChanges(FetchedDatabaseChanges(modifications: modified, deletions: deletions)))
    }

    private func fetchZones() async throws {
        var failure: (any Error)?
        for id in state.zoneIDsWithUnfetchedServerChanges where id.zoneName != CKRecordZone.ID.defaultZoneName {
            await deliver(.willFetchRecordZoneChanges(id))
            do {
                try await fetch(zone: id)
                await deliver(.didFetchRecordZoneChanges(id, nil))
            } catch {
                await deliver(.didFetchRecordZoneChanges(id, error as? CKError))
                guard let error = error as? CKError, !error.isGeneral else { throw error }
                // The app has received the error; other zones and sending continue.
                if error.isTransient { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private func fetch(zone id: CKRecordZone.ID) async throws {
        var stuck = 0
        while true {
            guard let zone = state.serialization.zones[id] else { return }
            let page: CKDatabase.RecordZoneChange
            do {
                page = try await database.recordZoneChanges(
                    inZoneWith: id, since: zone.token, resultsLimit: pageSize)
            } catch let error as CKError where error.code == .changeTokenExpired && zone.token != nil {
                await beginResync(id, restoredTo: error.restoredTo)
                continue
            } catch let error as CKError where error.code == .zoneNotFound {
                await take(modified: [], deleted: [.init(zoneID: id, reason: .deleted)])
                return await deliverState()
            }
            stuck = page.changeToken == zone.token && page.records.isEmpty && page.deletions.isEmpty ? stuck + 1 : 0
            guard !page.moreComing || stuck < 2 else {
                throw CKError(.serverRejectedRequest, "The server says that more is coming and sends nothing.")
            }
            await take(page, in: id, zone)
            if !page.moreComing { return }
        }
    }

    private func beginResync(_ id: CKRecordZone.ID, restoredTo: Date?) async {
        state.content.withLock { content in
            guard var zone = content.zones[id] else { return }
            zone.token = nil
            zone.round += 1
            zone.resync = State.Resync(restoredTo: restoredTo)
            content.note(.zone(id, zone))
        }
        await deliver(.willResync(id, restoredTo: restoredTo))
        await deliverState()
    }
}
