/// When the plans of a connection's prepared statements are made anew.
///
/// PostgreSQL keeps a plan until statistics are taken, which is a minute after many rows were written, or later. One that
/// was made while a table was empty reads all of the table by then. So plans go whenever the schema has had four times as
/// many writing transactions as at the last time, whichever connection wrote: no plan is of a table that was much smaller,
/// and few are made.
struct PlanAge {
    private static let growth = 4
    private static let first = 16
    private var next: Int

    /// - Parameter writes: the schema's writing transactions before the first plan.
    init(writes: Int = 0) { next = max(Self.first, writes * Self.growth) }

    /// Tells whether plans are to be made anew.
    ///
    /// - Parameter writes: the schema's writing transactions until now.
    mutating func mustRenew(writes: Int) -> Bool {
        guard writes >= next else { return false }
        next = writes * Self.growth
        return true
    }
}
