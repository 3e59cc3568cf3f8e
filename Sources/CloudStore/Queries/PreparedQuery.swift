import CloudModel

/// A query that is ready to be asked: its statements, and what a request's record has of it.
struct PreparedQuery {
    let type: RecordType
    let statements: [QueryPlan.Statement]
    /// The number of columns after the body that tell a record's place in the order.
    let places: Int
    let step: TrailStep
    /// The mark that production misses; nil where it would answer too, or is asked itself.
    let fault: IndexFault?
    /// Searches that each record is asked for by itself.
    var asides: [ResolvedQuery.Search] = []
    /// True if queries that differ in what they compare with have the same plan.
    var isCertain = false
    /// Nil where it was not needed.
    var resolved: ResolvedQuery?
}
