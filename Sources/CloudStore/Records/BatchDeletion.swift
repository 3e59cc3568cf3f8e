import CloudModel

extension Batch {
    /// Deletes a record and, recursively, those whose DELETE_SELF references it holds together (reference A §13.2).
    mutating func delete(_ first: StoredRecord, name: String, index: Int) throws {
        var doomed = [(record: first, name: name)]
        // Who refers to two doomed records is found twice.
        var gone: Set<Int64> = []
        while let next = doomed.popLast() {
            guard gone.insert(next.record.id).inserted else { continue }
            let name = next.name
            let along = try endShares(of: next.record, name: name)
            doomed += along
            guard let record = along.isEmpty ? next.record : try RecordTable.find(name, zone: zone.id, db) else {
                continue
            }
            let position = try transaction.nextPosition()
            let type = transaction.catalog.type(id: record.type)
            if let type {
                try transaction.note(
                    ChangedRecord(
                        reason: .delete, id: record.id, name: name, type: type, zone: context.request.zone,
                        zoneRow: zone.id))
            }
            if record.beside.contains(.assets) {
                try transaction.willChangeAssets(of: context.request.zone.owner)
            }
            try RecordTable.delete(
                record, name: name, type: type, zone: zone.id, feed: hasFeed ? position : nil, transaction)
            deleted.append((index, name))
            lastPosition = position
            if let share = record.share { transaction.touch(share: share, at: position) }
            transaction.count(bytes: -record.bodySize, records: -1, owner: context.request.zone.owner)
            doomed += try ReferenceTable.holders(of: name, kind: .deleteSelf, zone: zone.id, db)
        }
    }
}
