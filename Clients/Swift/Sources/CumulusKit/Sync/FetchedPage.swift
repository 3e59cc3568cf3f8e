extension CKSyncEngine {
    /// Delivers a page and then advances the zone's token.
    func take(_ page: CKDatabase.RecordZoneChange, in id: CKRecordZone.ID, _ zone: State.Zone) async {
        let isOver = !page.moreComing
        var own: [CKRecord] = []
        var foreign: [CKRecord] = []
        for record in page.records {
            if sentVersion(of: record) != nil {
                own.append(record)
            } else if zone.resync != nil || !state.knows(record) {
                foreign.append(record)
            }
        }
        let deletions = deletions(of: page, in: id, zone)
        if !own.isEmpty { await deliverOwn(own) }
        if !foreign.isEmpty || !deletions.isEmpty {
            await deliver(
                .fetchedRecordZoneChanges(
                    FetchedRecordZoneChanges(zoneID: id, modifications: foreign, deletions: deletions)))
        }
        state.content.withLock { content in
            guard var zone = content.zones[id] else { return }
            for record in page.records {
                let known = State.Known(version: record.recordChangeTag, round: zone.round)
                content.note(.known(id, record.recordID.recordName, known))
            }
            for deletion in deletions { content.note(.known(id, deletion.recordID.recordName, nil)) }
            zone.token = page.changeToken
            zone.needsFetch = !isOver
            if isOver { zone.resync = nil }
            content.note(.zone(id, zone))
        }
        await deliverState()
    }

    /// The page's deletions, limited to records known to the app. The last page of a resync adds known records missing from the
    /// zone.
    private func deletions(
        of page: CKDatabase.RecordZoneChange, in id: CKRecordZone.ID, _ zone: State.Zone
    ) -> [FetchedRecordZoneChanges.Deletion] {
        state.content.withLock { content in
            let known = content.known[id] ?? [:]
            let told = page.deletions.map(\.recordID).filter {
                known[$0.recordName] != nil || content.pending[$0] != nil
            }
            let deleted = told.map { FetchedRecordZoneChanges.Deletion(recordID: $0, reason: .deleted) }
            guard let resync = zone.resync, !page.moreComing else { return deleted }
            let here = Set(page.records.map(\.recordID.recordName)).union(told.map(\.recordName))
            let missing = known.filter { $0.value.round != zone.round && !here.contains($0.key) }.keys.sorted()
            return deleted
                + missing.map {
                    .init(
                        recordID: CKRecord.ID(recordName: $0, zoneID: id),
                        reason: .missingAfterResync(restoredTo: resync.restoredTo))
                }
        }
    }

    /// The generation of an unanswered sent version that the server's record contains.
    func sentVersion(of record: CKRecord) -> Int? {
        state.content.withLock { $0.inFlight[record.recordID] }?.last { $0.isDone(on: record) }?.generation
    }

    /// Reports sent versions that arrived although their answers were lost, as a late save event.
    private func deliverOwn(_ records: [CKRecord]) async {
        let versions = records.compactMap { record in sentVersion(of: record).map { (record.recordID, $0) } }
        let still = settle(saved: records, Dictionary(versions, uniquingKeysWith: { $1 }))
        await deliver(
            .sentRecordZoneChanges(
                SentRecordZoneChanges(
                    savedRecords: records, failedRecordSaves: [], deletedRecordIDs: [], failedRecordDeletes: [],
                    stillPending: still)))
    }

    /// Removes saved records from the pending changes, unless changed during the send.
    func settle(saved records: [CKRecord], _ versions: [CKRecord.ID: Int]) -> Set<CKRecord.ID> {
        state.content.withLock { content in
            var still: Set<CKRecord.ID> = []
            for record in records {
                let id = record.recordID
                if let zone = content.zones[id.zoneID] {
                    let known = State.Known(version: record.recordChangeTag, round: zone.round)
                    content.note(.known(id.zoneID, id.recordName, known))
                }
                content.clearInFlight(id)
                guard let pending = content.pending[id] else { continue }
                if pending.generation == versions[id] {
                    content.note(.pending(id, nil))
                } else {
                    still.insert(id)
                }
            }
            return still
        }
    }
}

extension CKSyncEngine.State {
    /// Whether a server record's field has a value that this device sent without receiving the answer.
    ///
    /// Another user has since changed the record, but not this field: a merge must not treat the field as their change.
    public func hasSent(_ key: String, of record: CKRecord) -> Bool {
        let marks = content.withLock { $0.inFlight[record.recordID] ?? [] }
        return marks.contains { $0.isSame(key, in: record) }
    }

    /// Whether the app received or saved this version.
    func knows(_ record: CKRecord) -> Bool {
        let id = record.recordID
        guard let known = content.withLock({ $0.known[id.zoneID]?[id.recordName] }) else { return false }
        return known.version == record.recordChangeTag
    }
}

extension CKSyncEngine.State.Serialization {
    mutating func clearInFlight(_ id: CKRecord.ID) {
        if inFlight[id] != nil { note(.inFlight(id, [])) }
    }
}

extension CKSyncEngine.State.InFlight {
    fileprivate func isSame(_ key: String, in record: CKRecord) -> Bool {
        guard let wire = fields[key] else { return false }
        return switch (CKFieldValue(wire: wire, zone: record.recordID.zoneID), record.fields[key]) {
        case (nil, nil): true
        case (let mine?, let its?): mine.isSame(as: its)
        default: false
        }
    }

    init(_ record: CKRecord, _ operation: RecordOperation, generation: Int) {
        self.generation = generation
        fields = operation.json["record"]?["fields"]?.object ?? [:]
        parent = record.parent?.recordID.recordName
        wasEdited = record.recordChangeTag != nil
    }

    /// Whether the server's record contains the sent version: all fields of a created record, or each edited field.
    func isDone(on record: CKRecord) -> Bool {
        let have = record.fields
        guard wasEdited || have.count == fields.count, record.parent?.recordID.recordName == parent else {
            return false
        }
        return fields.keys.allSatisfy { isSame($0, in: record) }
    }
}
