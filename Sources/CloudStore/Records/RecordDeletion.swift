import CloudModel

/// Deletes records of one zone, many with each statement.
struct RecordDeletion {
    let zone: ZoneID
    let zoneID: Int64
    let transaction: WriteTransaction

    /// The names of records to delete: the given ones, then their dependents level by level.
    struct Doomed {
        private static let mostAtOnce = 64

        private var names: [String] = []
        private var known: Set<ExactName> = []
        /// The index of the next name to return.
        private var place = 0

        var isEmpty: Bool { place == names.count }
        /// The number of names left.
        var count: Int { names.count - place }

        /// - Parameter hanging: the direct dependents of each name.
        mutating func add(_ first: some Sequence<String>, with hanging: [ExactName: [String]]) {
            var next = names.count
            for name in first where known.insert(ExactName(name)).inserted { names.append(name) }
            while next < names.count {
                for name in hanging[ExactName(names[next])] ?? [] where known.insert(ExactName(name)).inserted {
                    names.append(name)
                }
                next += 1
            }
        }

        /// Returns the next names, as many as are read and deleted together.
        mutating func next() -> ArraySlice<String> {
            let some = names[place...].prefix(Self.mostAtOnce)
            place = some.endIndex
            return some
        }
    }

    /// The direct DELETE_SELF dependents of each of these records and of their dependents (reference A §13.2), without user
    /// records, which are never deleted.
    ///
    /// - Returns: nil above the request's remaining limit of deletions.
    func hanging(on names: some Collection<String>) throws -> [ExactName: [String]]? {
        try ReferenceTable.hanging(
            on: names, zone: zoneID, exempt: transaction.catalog.types[RecordType.users]?.id,
            most: transaction.bounds.deletionsLeft, transaction.db)
    }

    /// Deletes records after their shares have ended.
    ///
    /// - Returns: the position of the last deletion.
    func delete(_ records: [NamedStoredRecord]) throws -> Int64? {
        try transaction.didChange(
            records.compactMap { item in
                transaction.catalog.type(id: item.record.type).map {
                    ChangedRecord(
                        reason: .delete, id: item.record.id, name: item.name, type: $0, zone: zone, zoneRow: zoneID)
                }
            })
        if records.contains(where: { $0.record.beside.contains(.assets) }) {
            try transaction.usage.willChangeAssets(of: zone.owner, transaction)
        }
        transaction.bounds.spendDeletions(records.count)
        var last: Int64?
        for item in records {
            let position = try transaction.nextPosition()
            try RecordTable.delete(
                item.record, name: item.name, type: transaction.catalog.type(id: item.record.type), zone: zoneID,
                feed: zone.isCustom ? position : nil, transaction)
            if let share = item.record.share { transaction.touch(share: share, at: position) }
            transaction.usage.add(bytes: -item.record.bodySize, records: -1, owner: zone.owner)
            last = position
        }
        return last
    }
}
