import CloudModel
import CloudSQL

/// Continues deferred cascades, a few records per step.
///
/// Deletes parents before their dependents. A record stays if it was changed since the deletion, or if another record holds
/// it; its dependents stay too.
struct CascadeWork {
    let deletion: ImpliedDeletion
    private var transaction: WriteTransaction { deletion.transaction }
    private var db: SQLConnection { transaction.db }

    /// Records deleted between two checks of the clock.
    static let chunk = 32

    /// - Parameter stuck: work to skip.
    /// - Returns: false without any cascade to continue.
    func step(_ slice: WorkSlice, except stuck: Set<StuckWork.Item> = []) throws -> Bool {
        let stuck = Set(stuck.compactMap { if case .cascade(let id) = $0 { id } else { nil } })
        guard var cascade = try CascadeTable.first(except: stuck, db) else { return false }
        var slice = slice
        while let limit = slice.next(Self.chunk) {
            try StuckWork.attempt(.cascade(cascade.id), "the deletion of what hung on a record of zone \(cascade.zone)")
            {
                try advance(cascade, limit)
                try transaction.writeWaiting()
            }
            guard let next = try CascadeTable.first(except: stuck, db) else { break }
            cascade = next
        }
        return true
    }

    private func advance(_ cascade: CascadeTable.Row, _ limit: Int) throws {
        guard let zone = try ZoneTable.find(id: cascade.zone, db) else { return try CascadeTable.end(cascade, db) }
        let users = transaction.catalog.types[RecordType.users]?.id
        var next = try CascadeTable.next(of: cascade, exempt: users, limit: limit, db)
        var isLast = next.count < limit
        if !next.isEmpty {
            let (staying, isComplete) = try staying(next, cascade, .chunk)
            var stays = staying
            if !isComplete {
                // A single record may need as large a search as the whole chunk.
                isLast = isLast && next.count == 1
                next = [next[0]]
                stays = try self.staying(next, cascade, .request).names
            }
            let gone = next.map(\.name).filter { !stays.contains(ExactName($0)) }
            try CascadeTable.add(
                ReferenceTable.hangers(among: gone, zone: cascade.zone, db), zone: cascade.zone, cascade.scope,
                transaction)
            try deletion.delete(gone, in: zone, cascade.zone, cascade.scope)
        }
        if let last = next.last, !isLast {
            try CascadeTable.pass(cascade, to: last.id, db)
        } else {
            try CascadeTable.end(cascade, db)
        }
    }

    /// - Returns: the names of staying records, and whether the budget sufficed to decide.
    private func staying(
        _ next: [(id: Int64, name: String)], _ cascade: CascadeTable.Row, _ budget: HolderBudget
    ) throws -> (names: Set<ExactName>, isComplete: Bool) {
        var staying: Set<ExactName> = []
        if cascade.scope.share != nil {
            let records = try transaction.prefetched.find(next.map(\.name), zone: cascade.zone, transaction.db)
            let roots = try ShareTable.roots(among: records.map(\.record.id), db)
            let shares = transaction.catalog.types[RecordType.share]?.id
            for item in records where roots.contains(item.record.id) || item.record.type == shares {
                staying.insert(ExactName(item.name))
            }
        }
        guard cascade.scope.sparesHeld else { return (staying, true) }
        let going = next.filter { !staying.contains(ExactName($0.name)) }
        let held = try ReferenceTable.held(among: going.map(\.name), zone: cascade.zone, db)
        guard !held.isEmpty else { return (staying, true) }
        var search = HolderSearch(zone: cascade.zone, budget: budget, transaction)
        staying.formUnion(try search.staying(going.filter { held.contains(ExactName($0.name)) }, under: cascade))
        return (staying, search.isComplete)
    }
}
