/// When the plans of a connection's prepared statements are made anew.
///
/// PostgreSQL keeps a plan until statistics are taken, which is a minute after many rows were written, or later. One that
/// was made while a table was empty reads all of the table by then. So plans go whenever a connection has begun four times
/// as many transactions as at the last time: no plan is of a table that was much smaller, and few are made.
struct PlanAge {
    private static let growth = 4
    private var begun = 0
    private var next = 16

    /// Counts a transaction, and tells whether plans are to be made anew before it.
    mutating func mustRenew() -> Bool {
        begun += 1
        guard begun == next else { return false }
        next *= Self.growth
        return true
    }
}
