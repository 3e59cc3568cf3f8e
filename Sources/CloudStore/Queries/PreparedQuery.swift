import CloudModel

/// A query ready to run: its statements, and its entries for the request's trace.
struct PreparedQuery {
    let type: RecordType
    let statements: [QueryPlan.Statement]
    /// The number of sort key columns after the body.
    let places: Int
    let step: TrailStep
    /// The missing index mark for which production would refuse the query; nil without one, and in production itself.
    let fault: IndexFault?
    /// Searches to check record by record.
    var asides: [ResolvedQuery.Search] = []
    /// True if queries that differ only in operands have the same plan.
    var isCertain = false
    /// Nil for a query prepared from an outline.
    var resolved: ResolvedQuery?
}
