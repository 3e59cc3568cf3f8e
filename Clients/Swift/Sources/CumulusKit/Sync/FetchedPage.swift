import Synchronization

extension CKSyncEngine {
    /// Delivers a page, and only then counts it as read.
    func take(_ page: CKDatabase.RecordZoneChange, in id: CKRecordZone.ID, _ zone: State.Zone) async {
        let isOver = !page.moreComing
        var own: [CKRecord] = []
        var foreign: [CKRecord] = []
        for record in page.records {
            let isKnown = zone.known[record.recordID.recordName] == record.recordChangeTag
            if isOwnWork(record) {
                own.append(record)
            } else if !isKnown || zone.resync != nil {
                foreign.append(record)
            }
        }
        let waiting = Set(state.pendingRecordZoneChanges.map(\.recordID))
        let told = page.deletions.map(\.recordID).filter {
            zone.known[$0.recordName] != nil || waiting.contains($0)
        }
        var deletions = told.map { FetchedRecordZoneChanges.Deletion(recordID: $0, reason: .deleted) }
        let names = page.records.map(\.recordID.recordName)
        let seen = (zone.resync?.seen ?? []).union(names)
        if let resync = zone.resync, isOver {
            let missing = zone.known.keys.filter { !seen.contains($0) }.sorted()
            deletions += missing.filter { name in !told.contains { $0.recordName == name } }.map {
                .init(
                    recordID: CKRecord.ID(recordName: $0, zoneID: id),
                    reason: .missingAfterResync(restoredTo: resync.restoredTo))
            }
        }
        if !own.isEmpty { await deliverOwn(own) }
        if !foreign.isEmpty || !deletions.isEmpty {
            await deliver(
                .fetchedRecordZoneChanges(
                    FetchedRecordZoneChanges(zoneID: id, modifications: foreign, deletions: deletions)))
        }
        state.content.withLock { content in
            guard var zone = content.zones[id] else { return }
            for record in page.records { zone.known[record.recordID.recordName] = record.recordChangeTag }
            for deletion in deletions { zone.known[deletion.recordID.recordName] = nil }
            zone.token = page.changeToken
            zone.needsFetch = !isOver
            zone.resync?.seen = seen
            if isOver { zone.resync = nil }
            content.zones[id] = zone
        }
        await deliverState()
    }

    private func isOwnWork(_ record: CKRecord) -> Bool {
        sentVersion(of: record) != nil
    }

    /// Which of the versions that were sent and not answered the server has.
    func sentVersion(of record: CKRecord) -> Int? {
        state.content.withLock { $0.inFlight[record.recordID] }?.last { $0.isDone(on: record) }?.generation
    }

    /// What was sent did arrive: the app hears of it as of any save, if late.
    private func deliverOwn(_ records: [CKRecord]) async {
        let versions = records.compactMap { record in sentVersion(of: record).map { (record.recordID, $0) } }
        let still = settle(saved: records, Dictionary(versions, uniquingKeysWith: { $1 }))
        await deliver(
            .sentRecordZoneChanges(
                SentRecordZoneChanges(
                    savedRecords: records, failedRecordSaves: [], deletedRecordIDs: [], failedRecordDeletes: [],
                    stillPending: still)))
    }

    /// Takes saved records off the list, except those that changed while they were on their way.
    func settle(saved records: [CKRecord], _ versions: [CKRecord.ID: Int]) -> Set<CKRecord.ID> {
        state.content.withLock { content in
            var still: Set<CKRecord.ID> = []
            for record in records {
                let id = record.recordID
                content.zones[id.zoneID]?.known[id.recordName] = record.recordChangeTag
                content.inFlight[id] = nil
                guard let index = content.recordChanges.firstIndex(where: { $0.change.recordID == id }) else {
                    continue
                }
                if content.recordChanges[index].generation == versions[id] {
                    content.recordChanges.remove(at: index)
                } else {
                    still.insert(id)
                }
            }
            return still
        }
    }
}

extension CKSyncEngine.State {
    /// Whether a field of a record that came from the server has a value that this device has sent, and had no answer to.
    ///
    /// Somebody else has then changed the record since, but not this field: for a merge it is no change of theirs.
    public func hasSent(_ key: String, of record: CKRecord) -> Bool {
        let marks = content.withLock { $0.inFlight[record.recordID] ?? [] }
        return marks.contains { $0.isSame(key, in: record) }
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

    /// Whether the server has what was sent: all that was created, or every field that was edited.
    func isDone(on record: CKRecord) -> Bool {
        let have = record.fields
        guard wasEdited || have.count == fields.count, record.parent?.recordID.recordName == parent else {
            return false
        }
        return fields.keys.allSatisfy { isSame($0, in: record) }
    }
}
