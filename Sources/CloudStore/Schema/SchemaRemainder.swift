import CloudModel

/// Work that schema changes left for later, a piece at a time.
struct SchemaRemainder {
    let pace: BuildPace
    let removal: @Sendable (WriteTransaction) -> TypeRemoval
    /// The context that the work is done in.
    let context: @Sendable () -> WriteContext

    /// Does what is soon done of what the migrations or an earlier run have left, in the transaction of opening.
    func finishSmall(_ transaction: WriteTransaction) throws {
        guard try !IndexBuilds.all(transaction.db).isEmpty else { return }
        transaction.beginRequest(context())
        try SmallChanges(transaction, removal: removal(transaction)).run()
        try transaction.finishRequest()
        try transaction.endRequest(keep: true)
        try transaction.flush()
        transaction.committed()
    }

    /// - Parameter stuck: types whose builds are left alone.
    /// - Returns: false when there was nothing to do.
    func run(_ transaction: WriteTransaction, _ slice: WorkSlice, except stuck: Set<Int64>) throws -> Bool {
        if let build = try IndexBuilds.all(transaction.db).first(where: { !stuck.contains($0.type) }) {
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
