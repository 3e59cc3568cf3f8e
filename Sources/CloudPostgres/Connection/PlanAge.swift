/// Decides when a connection discards its query plans.
///
/// PostgreSQL keeps a plan until new statistics arrive, a minute or more after many writes. A plan made for an empty
/// table then scans a full table. So plans are discarded each time the schema's writing transactions, over all
/// connections, have quadrupled: no plan stays for a much smaller table, and replanning is rare.
struct PlanAge {
    private static let growth = 4
    private static let first = 16
    private var next: Int

    /// - Parameter writes: the schema's writing transactions before the first plan.
    init(writes: Int = 0) { next = max(Self.first, writes * Self.growth) }

    /// Returns true if plans must be discarded now.
    ///
    /// - Parameter writes: the schema's writing transactions so far.
    mutating func mustRenew(writes: Int) -> Bool {
        guard writes >= next else { return false }
        next = writes * Self.growth
        return true
    }
}
