import CloudModel

/// Background work of schema changes and large deletions, one slice at a time.
struct SchemaRemainder {
    let pace: BuildPace
    let removal: @Sendable (WriteTransaction) -> TypeRemoval
    /// Gives the write context of the work.
    let context: @Sendable () -> WriteContext
    /// Types with queries waiting for an index.
    let awaited: @Sendable () -> Set<Int64>

    /// Finishes small remaining builds in the transaction that opens the store.
    func finishSmall(_ transaction: WriteTransaction) throws {
        guard try !IndexBuilds.all(transaction.db).isEmpty else { return }
        transaction.beginRequest(context())
        try SmallChanges(transaction, removal: removal(transaction)).run()
        try transaction.finishRequest()
        try transaction.endRequest(keep: true)
        try transaction.flush()
        transaction.committed()
        transaction.answered()
    }

    /// - Parameter stuck: places of work to skip.
    /// - Returns: false when no work is left.
    func run(
        _ transaction: WriteTransaction, _ slice: WorkSlice, except stuck: Set<StuckWork.Item>
    ) throws -> Bool {
        // Deletions still visible to clients go first. They follow client requests, so more writes are likely; the
        // short slice applies even on an idle writer.
        let short = slice.within(pace.slice)
        if try CascadeWork(deletion: removal(transaction).deletion).step(short, except: stuck) { return true }
        if let zone = try DroppedZones.first(except: stuck, transaction.db) {
            try StuckWork.attempt(.droppedZone(zone.row), "a deleted zone of '\(zone.owner)' cannot be emptied") {
                try DroppedZones.empty(zone, short, transaction)
            }
            return true
        }
        if let build = try nextBuild(transaction, except: stuck) {
            try IndexBuilding(transaction: transaction).advance(build, slice)
            return true
        }
        let removed = transaction.catalog.removed.values.filter { !stuck.contains(.removal(type: $0.id)) }
        if let type = removed.min(by: { $0.id < $1.id }) {
            try StuckWork.attempt(
                .removal(type: type.id),
                "the records of the removed type '\(TypeRemoval.formerName(of: type))' cannot be deleted"
            ) { try removal(transaction).advance(type, slice) }
            return true
        }
        return try DroppedTables.step(slice, transaction.db)
    }

    private func nextBuild(_ transaction: WriteTransaction, except stuck: Set<StuckWork.Item>) throws -> IndexBuild? {
        let builds = try IndexBuilds.all(transaction.db).filter { !stuck.contains(.build(type: $0.type)) }
        let awaited = builds.isEmpty ? [] : awaited()
        let first = { (builds: [IndexBuild]) in builds.first { awaited.contains($0.type) } ?? builds.first }
        // A record that loses a value gets a new tag, which the stuck cascade would mistake for a later write.
        guard builds.contains(where: \.derivesAll), try CascadeTable.isLeft(transaction.db) else {
            return first(builds)
        }
        let waiting = Set(builds.lazy.filter(\.derivesAll).map(\.type))
        return first(builds.filter { !waiting.contains($0.type) })
    }
}
