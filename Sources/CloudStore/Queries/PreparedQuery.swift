import CloudModel

/// A query ready to run: its statements, and its entries for the request's trace.
struct PreparedQuery {
    let type: RecordType
    let statements: [QueryPlan.Statement]
    /// The number of sort key columns after the body.
    let places: Int
    let step: TrailStep
    /// The index that production mode would miss; nil if production mode would answer too, or is on.
    let fault: IndexFault?
    /// Searches to check record by record.
    var asides: [ResolvedQuery.Search] = []
    /// True if queries that differ only in operands have the same plan.
    var isCertain = false
    /// Nil for a query prepared from an outline.
    var resolved: ResolvedQuery?
}
