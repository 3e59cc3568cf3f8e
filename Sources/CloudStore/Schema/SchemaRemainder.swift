import CloudModel

/// Work that schema changes and large deletions left for later, a piece at a time.
struct SchemaRemainder {
    let pace: BuildPace
    let removal: @Sendable (WriteTransaction) -> TypeRemoval
    /// The context that the work is done in.
    let context: @Sendable () -> WriteContext
    /// Types whose indexes queries wait for.
    let awaited: @Sendable () -> Set<Int64>

    /// Does what is soon done of what the migrations or an earlier run have left, in the transaction of opening.
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

    /// - Parameter stuck: types whose builds are left alone.
    /// - Returns: false when there was nothing to do.
    func run(_ transaction: WriteTransaction, _ slice: WorkSlice, except stuck: Set<Int64>) throws -> Bool {
        // What people still see goes first. Deletions follow requests, so others are likely to write as well: the short
        // slice holds for them even while nobody does.
        let short = slice.within(pace.slice)
        if try CascadeWork(deletion: removal(transaction).deletion).step(short) { return true }
        if try DroppedZones.step(short, transaction) { return true }
        let builds = try IndexBuilds.all(transaction.db).filter { !stuck.contains($0.type) }
        let awaited = builds.isEmpty ? [] : awaited()
        if let build = builds.first(where: { awaited.contains($0.type) }) ?? builds.first {
            try IndexBuilding(transaction: transaction).advance(build, slice)
            return true
        }
        if let type = transaction.catalog.removed.values.min(by: { $0.id < $1.id }) {
            try removal(transaction).advance(type, slice)
            return true
        }
        return try DroppedTables.step(slice, transaction.db)
    }
}
