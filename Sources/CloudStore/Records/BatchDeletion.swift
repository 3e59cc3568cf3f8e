import CloudModel

extension Batch {
    var deletion: RecordDeletion {
        RecordDeletion(zone: context.request.zone, zoneID: zone.id, transaction: transaction)
    }

    /// Deletes a record and all that hangs on it by DELETE_SELF references (reference A §13.2). Where that is too much for
    /// one transaction, the record alone is deleted, and the rest later.
    mutating func delete(_ first: StoredRecord, name: String, index: Int) throws {
        var doomed = RecordDeletion.Doomed()
        var left: [String] = []
        doomed.add([name], with: try hanging(on: name, &left))
        let isAlone = doomed.count == 1
        // That which the record has before its share ends.
        let reach = reach(first.share)
        while !doomed.isEmpty {
            let names = doomed.next()
            var records =
                isAlone && names.first?.isExactly(name) == true
                ? [NamedStoredRecord(name: name, record: first)]
                : try transaction.findRecords(names, zone: zone.id)
            if let along = try endShares(of: records, by: index) {
                if !along.isEmpty { doomed.add(along, with: try hanging(onShares: along, &left)) }
                // What was shared through them has other marks now, and the roots have other tags.
                records = try transaction.findRecords(names, zone: zone.id)
            }
            lastPosition = try deletion.delete(records) ?? lastPosition
            for item in records { noteDeleted(item.name, index) }
        }
        if !left.isEmpty { try leave(left, to: reach) }
    }

    /// What hangs on a record, which is asked of the database for each operation only where the batch has saved something,
    /// which may refer to others.
    ///
    /// - Parameter left: gets the name where it is too much.
    private mutating func hanging(on name: String, _ left: inout [String]) throws -> [ExactName: [String]] {
        if !hangsTooMuch {
            if saved.isEmpty, let hangingAhead { return hangingAhead }
            if let hanging = try deletion.hanging(on: [name]) { return hanging }
            hangsTooMuch = true
        }
        left.append(name)
        return [:]
    }

    /// The same for share records, which no operation names.
    private mutating func hanging(onShares names: [String], _ left: inout [String]) throws -> [ExactName: [String]] {
        if !hangsTooMuch, let hanging = try deletion.hanging(on: names) { return hanging }
        hangsTooMuch = true
        left += names
        return [:]
    }

    /// Notes that what hangs on deleted records is to be deleted later.
    private mutating func leave(_ names: [String], to share: Int64?) throws {
        let targets = try ReferenceTable.hangers(among: names, zone: zone.id, db)
        let scope = CascadeScope(position: transaction.positions.last, share: share, sparesHeld: true)
        try CascadeTable.add(targets, zone: zone.id, scope, transaction)
        for name in targets { leftDeletions[ExactName(name)] = .some(share) }
    }

    /// The share that bounds what the caller may delete along with a record; see ``CascadeScope/share``.
    private func reach(_ share: Int64?) -> Int64? {
        guard let memberships = view.memberships else { return nil }
        // No share has the last number.
        return memberships.contains(where: \.isZoneWide) ? 0 : share ?? -1
    }

    private mutating func noteDeleted(_ name: String, _ index: Int) {
        deleted.append((index, name))
        deletedNames.insert(ExactName(name))
    }
}
