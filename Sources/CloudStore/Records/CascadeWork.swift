import CloudModel
import CloudSQL

/// Goes on with deletions whose cascades were too large for one transaction, some records at a time.
///
/// Parents go before what hangs on them. A record that somebody has changed since the deletion stays, and so does one
/// that another record holds. Records that hang on it stay too.
struct CascadeWork {
    let deletion: ImpliedDeletion
    private var transaction: WriteTransaction { deletion.transaction }
    private var db: SQLConnection { transaction.db }

    /// Records deleted between two looks at the clock.
    static let chunk = 32

    /// - Returns: false when there was nothing to do.
    func step(_ slice: WorkSlice) throws -> Bool {
        guard var cascade = try CascadeTable.first(db) else { return false }
        var slice = slice
        while let limit = slice.next(Self.chunk) {
            try advance(cascade, limit)
            try transaction.writeWaiting()
            guard let next = try CascadeTable.first(db) else { break }
            cascade = next
        }
        return true
    }

    private func advance(_ cascade: CascadeTable.Row, _ limit: Int) throws {
        guard let zone = try ZoneTable.find(id: cascade.zone, db) else { return try CascadeTable.end(cascade, db) }
        let users = transaction.catalog.types[RecordType.users]?.id
        let next = try CascadeTable.next(of: cascade, exempt: users, limit: limit, db)
        if !next.isEmpty {
            let (names, known) = (next.map(\.name), try CascadeTable.last(db))
            try CascadeTable.add(
                ReferenceTable.hangers(among: names, zone: cascade.zone, db), zone: cascade.zone, cascade.scope,
                transaction)
            let staying = try staying(of: names, cascade)
            for name in staying { try CascadeTable.remove(name.text, zone: cascade.zone, since: known, db) }
            try deletion.delete(
                names.filter { !staying.contains(ExactName($0)) }, in: zone, cascade.zone, cascade.scope)
        }
        if let last = next.last, next.count == limit {
            try CascadeTable.pass(cascade, to: last.id, db)
        } else {
            try CascadeTable.end(cascade, db)
        }
    }

    private func staying(of names: [String], _ cascade: CascadeTable.Row) throws -> Set<ExactName> {
        var staying: Set<ExactName> = []
        if cascade.scope.share != nil {
            let records = try transaction.findRecords(names, zone: cascade.zone)
            let roots = try ShareTable.roots(among: records.map(\.record.id), db)
            let shares = transaction.catalog.types[RecordType.share]?.id
            for item in records where roots.contains(item.record.id) || item.record.type == shares {
                staying.insert(ExactName(item.name))
            }
        }
        if cascade.scope.sparesHeld {
            for held in try ReferenceTable.held(among: names, zone: cascade.zone, db) {
                let holder = try CascadeTable.stayingHolder(
                    of: held.text, zone: cascade.zone, share: cascade.scope.share,
                    most: transaction.pace.mostDeletedAtOnce, db)
                if holder != nil { staying.insert(held) }
            }
        }
        return staying
    }
}
