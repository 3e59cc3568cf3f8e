import CloudEngine
import CloudModel
import CloudSQL

/// Deletes records that no operation names, and ends their shares.
struct ImpliedDeletion {
    let transaction: WriteTransaction
    let now: Timestamp
    let limits: Limits
    let shortGUIDs: ShortGUID
    private var db: SQLConnection { transaction.db }

    /// Deletes records and their DELETE_SELF dependents, even if other records hold them. Too many dependents for one request
    /// are deleted later.
    ///
    /// - Returns: the names of the deleted records.
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

    /// Deletes records and the share records of roots. Dependents of the share records become part of the cascade.
    func delete(_ names: [String], in zone: ZoneID, _ zoneID: Int64, _ scope: CascadeScope) throws {
        guard !names.isEmpty else { return }
        let deletion = RecordDeletion(zone: zone, zoneID: zoneID, transaction: transaction)
        let (records, along) = try endShares(of: names[...], in: zone, zoneID)
        try delete(records, deletion)
        let left = along.filter { name in !names.contains { $0.isExactly(name) } }
        guard !left.isEmpty else { return }
        try CascadeTable.add(ReferenceTable.hangers(among: left, zone: zoneID, db), zone: zoneID, scope, transaction)
        try delete(transaction.prefetched.find(left, zone: zoneID, transaction.db), deletion)
    }

    private func delete(_ records: [NamedStoredRecord], _ deletion: RecordDeletion) throws {
        if let last = try deletion.delete(records) { transaction.zones.touch(deletion.zoneID, at: last) }
    }

    /// - Returns: the records, reloaded after any share ended, and the names of share records to delete with their roots.
    private func endShares(
        of names: some Collection<String>, in zone: ZoneID, _ zoneID: Int64
    ) throws -> (records: [NamedStoredRecord], along: [String]) {
        let records = try transaction.prefetched.find(names, zone: zoneID, transaction.db)
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
        // Reload: ending shares has changed share marks and the roots' tags.
        return (hasEnded ? try transaction.prefetched.find(names, zone: zoneID, transaction.db) : records, along)
    }
}
