import CloudModel

/// The next piece of what schema changes left for later.
struct SchemaStep {
    let indexing: IndexPolicy
    let pace: BuildPace
    let removal: @Sendable (WriteTransaction) -> TypeRemoval

    /// Does what is soon done of what the migrations or an earlier run have left, in the transaction of opening.
    func finishSmall(_ transaction: WriteTransaction) throws {
        guard try !IndexBuilds.all(transaction.db).isEmpty else { return }
        try SchemaEdit(transaction, indexing: indexing, limits: Limits(), removal: removal(transaction)).finish()
        try transaction.flush()
        transaction.committed()
    }

    /// - Returns: false when there was nothing to do.
    func run(_ transaction: WriteTransaction) throws -> Bool {
        if let build = try IndexBuilds.all(transaction.db).first {
            try IndexBuilding(transaction: transaction, indexing: indexing).advance(build, limit: pace.batch)
            return true
        }
        if let type = transaction.catalog.removed.values.min(by: { $0.id < $1.id }) {
            try removal(transaction).advance(type, limit: pace.batch)
            return true
        }
        return try DroppedTables.step(rows: pace.batch * 4, transaction.db)
    }
}
