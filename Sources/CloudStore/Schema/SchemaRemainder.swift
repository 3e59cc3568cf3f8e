import CloudModel

/// What schema changes left for later, a piece at a time.
struct SchemaRemainder {
    let indexing: IndexPolicy
    let pace: BuildPace
    let removal: @Sendable (WriteTransaction) -> TypeRemoval

    /// Does what is soon done of what the migrations or an earlier run have left, in the transaction of opening.
    func finishSmall(_ transaction: WriteTransaction) throws {
        guard try !IndexBuilds.all(transaction.db).isEmpty else { return }
        try SmallChanges(transaction, indexing: indexing, removal: removal(transaction)).run()
        try transaction.flush()
        transaction.committed()
    }

    /// - Parameter stuck: types whose builds are left alone.
    /// - Returns: false when there was nothing to do.
    func run(_ transaction: WriteTransaction, _ slice: WorkSlice, except stuck: Set<Int64>) throws -> Bool {
        if let build = try IndexBuilds.all(transaction.db).first(where: { !stuck.contains($0.type) }) {
            try IndexBuilding(transaction: transaction, indexing: indexing).advance(build, slice)
            return true
        }
        if let type = transaction.catalog.removed.values.min(by: { $0.id < $1.id }) {
            try removal(transaction).advance(type, slice)
            return true
        }
        return try DroppedTables.step(slice, transaction.db)
    }
}
