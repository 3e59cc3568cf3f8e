import CloudModel

extension Batch {
    var deletion: RecordDeletion {
        RecordDeletion(zone: context.request.zone, zoneID: zone.id, transaction: transaction)
    }

    /// Deletes a record and all that hangs on it by DELETE_SELF references (reference A §13.2).
    mutating func delete(_ first: StoredRecord, name: String, index: Int) throws {
        var doomed = RecordDeletion.Doomed()
        doomed.add([name], with: try hanging(on: name))
        let isAlone = doomed.count == 1
        while !doomed.isEmpty {
            let names = doomed.next()
            var records =
                isAlone && names.first?.isExactly(name) == true
                ? [NamedStoredRecord(name: name, record: first)]
                : try transaction.findRecords(names, zone: zone.id)
            if let along = try endShares(of: records) {
                if !along.isEmpty { doomed.add(along, with: try deletion.hanging(on: along)) }
                // What was shared through them has other marks now, and the roots have other tags.
                records = try transaction.findRecords(names, zone: zone.id)
            }
            lastPosition = try deletion.delete(records) ?? lastPosition
            for item in records { noteDeleted(item.name, index) }
        }
    }

    /// Asked of the database for each operation only where the batch has saved something, which may refer to others.
    private func hanging(on name: String) throws -> [ExactName: [String]] {
        if saved.isEmpty, let hangingAhead { return hangingAhead }
        return try deletion.hanging(on: [name])
    }

    private mutating func noteDeleted(_ name: String, _ index: Int) {
        deleted.append((index, name))
        deletedNames.insert(ExactName(name))
    }
}
