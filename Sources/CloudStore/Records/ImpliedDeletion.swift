import CloudModel
import CloudSQL

/// Deletes records that no operation names, and ends what is shared through them.
struct ImpliedDeletion {
    let transaction: WriteTransaction
    let now: Timestamp
    let limits: Limits
    let shortGUIDs: ShortGUID
    private var db: SQLConnection { transaction.db }

    /// Deletes records and what hangs on them by DELETE_SELF, whatever holds them: at once, or the latter later where
    /// it is too much for the request.
    ///
    /// - Returns: the names of the records that are gone.
    func deleteAll(_ names: [String], in zone: ZoneID, _ zoneID: Int64) throws -> [String] {
        let deletion = RecordDeletion(zone: zone, zoneID: zoneID, transaction: transaction)
        var doomed = RecordDeletion.Doomed()
        let hanging = try deletion.hanging(on: names)
        doomed.add(names, with: hanging ?? [:])
        var left = hanging == nil ? names : []
        var gone: [String] = []
        while !doomed.isEmpty {
            let some = doomed.next()
            let (records, along) = try endShares(of: some, in: zone, zoneID)
            if !along.isEmpty {
                let hanging = try deletion.hanging(on: along)
                doomed.add(along, with: hanging ?? [:])
                if hanging == nil { left += along }
            }
            try delete(records, deletion)
            gone += records.map(\.name)
        }
        if !left.isEmpty {
            let scope = CascadeScope(position: transaction.positions.last, share: nil, sparesHeld: false)
            try CascadeTable.add(
                ReferenceTable.hangers(among: left, zone: zoneID, db), zone: zoneID, scope, transaction)
        }
        return gone
    }

    /// Deletes records, and the share records of those that are roots; what hangs on these is noted as a part of a
    /// cascade.
    func delete(_ names: [String], in zone: ZoneID, _ zoneID: Int64, _ scope: CascadeScope) throws {
        guard !names.isEmpty else { return }
        let deletion = RecordDeletion(zone: zone, zoneID: zoneID, transaction: transaction)
        let (records, along) = try endShares(of: names[...], in: zone, zoneID)
        try delete(records, deletion)
        let left = along.filter { name in !names.contains { $0.isExactly(name) } }
        guard !left.isEmpty else { return }
        try CascadeTable.add(ReferenceTable.hangers(among: left, zone: zoneID, db), zone: zoneID, scope, transaction)
        try delete(transaction.findRecords(left, zone: zoneID), deletion)
    }

    private func delete(_ records: [NamedStoredRecord], _ deletion: RecordDeletion) throws {
        if let last = try deletion.delete(records) { transaction.touch(zone: deletion.zoneID, at: last) }
    }

    /// - Returns: the records as they are after that, and the names of the share records that go along with roots.
    private func endShares(
        of names: some Collection<String>, in zone: ZoneID, _ zoneID: Int64
    ) throws -> (records: [NamedStoredRecord], along: [String]) {
        let records = try transaction.findRecords(names, zone: zoneID)
        let writer = ShareWriter(
            zone: zone, zoneID: zoneID, user: zone.owner, now: now, limits: limits, shortGUIDs: shortGUIDs,
            transaction: transaction)
        let marked = records.filter { $0.record.share != nil }.map(\.record.id)
        let roots = marked.isEmpty ? [] : try ShareTable.roots(among: marked, db)
        var (along, hasEnded): ([String], Bool) = ([], false)
        for item in records {
            let isShare = transaction.catalog.type(id: item.record.type)?.name == RecordType.share
            if isShare, let share = try ShareTable.find(record: item.record.id, db) {
                hasEnded = true
                _ = try writer.end(share)
            } else if roots.contains(item.record.id), let share = try ShareTable.find(root: item.record.id, db) {
                along.append(try writer.name(of: share.record))
                hasEnded = true
                _ = try writer.end(share, deletesRoot: true)
            }
        }
        // What was shared through them has other marks now, and the roots have other tags.
        return (hasEnded ? try transaction.findRecords(names, zone: zoneID) : records, along)
    }
}
