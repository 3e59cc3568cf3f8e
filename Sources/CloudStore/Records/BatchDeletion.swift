import CloudModel

extension Batch {
    var deletion: RecordDeletion {
        RecordDeletion(zone: context.request.zone, zoneID: zone.id, transaction: transaction)
    }

    /// Deletes a record and its DELETE_SELF dependents (reference A §13.2). With too many dependents for one transaction,
    /// deletes the record alone and leaves the rest for later.
    mutating func delete(_ first: StoredRecord, name: String, index: Int) throws {
        var doomed = RecordDeletion.Doomed()
        var left: [String] = []
        doomed.add([name], with: try hanging(on: name, &left))
        let isAlone = doomed.count == 1
        // The record's share, before ending shares clears it.
        let reach = reach(first.share)
        while !doomed.isEmpty {
            let names = doomed.next()
            var records =
                isAlone && names.first?.isExactly(name) == true
                ? [NamedStoredRecord(name: name, record: first)]
                : try transaction.prefetched.find(names, zone: zone.id, transaction.db)
            if let along = try endShares(of: records, by: index) {
                if !along.isEmpty { doomed.add(along, with: try hanging(onShares: along, &left)) }
                // Reload: ending shares has changed share marks and the roots' tags.
                records = try transaction.prefetched.find(names, zone: zone.id, transaction.db)
            }
            lastPosition = try deletion.delete(records) ?? lastPosition
            for item in records { deletions.add(item.name, by: index) }
        }
        if !left.isEmpty { try leave(left, to: reach) }
    }

    /// The record's dependents. Uses the result from before the first operation, unless the batch has saved records, which
    /// may refer to others.
    ///
    /// - Parameter left: gets the name if its dependents are too many.
    private mutating func hanging(on name: String, _ left: inout [String]) throws -> [ExactName: [String]] {
        if !deletions.hangsTooMuch {
            if saved.isEmpty, let hanging = deletions.hangingAhead { return hanging }
            if let hanging = try deletion.hanging(on: [name]) { return hanging }
            deletions.hangsTooMuch = true
        }
        left.append(name)
        return [:]
    }

    /// The dependents of share records, which no operation names.
    private mutating func hanging(onShares names: [String], _ left: inout [String]) throws -> [ExactName: [String]] {
        if !deletions.hangsTooMuch, let hanging = try deletion.hanging(on: names) { return hanging }
        deletions.hangsTooMuch = true
        left += names
        return [:]
    }

    /// Records a later deletion of these records' dependents.
    private mutating func leave(_ names: [String], to share: Int64?) throws {
        let targets = try ReferenceTable.hangers(among: names, zone: zone.id, db)
        let scope = CascadeScope(position: transaction.positions.last, share: share, sparesHeld: true)
        try CascadeTable.add(targets, zone: zone.id, scope, transaction)
        for name in targets { deletions.left[ExactName(name)] = .some(share) }
    }

    /// The share that limits which dependents the caller may delete; see ``CascadeScope/share``.
    private func reach(_ share: Int64?) -> Int64? {
        guard let memberships = view.memberships else { return nil }
        // No share has the number -1.
        return memberships.contains(where: \.isZoneWide) ? 0 : share ?? -1
    }
}
