extension ResolvedQuery {
    /// The index mark that production would miss in the schema; nil for a query that works in production.
    package var faultInProduction: IndexFault? {
        let rules = IndexRules(type: type, isStrict: true)
        do {
            if isUnfiltered { try rules.requireListing() }
            for filter in filters { try rules.require(filter.comparator, filter.subject) }
            for nearness in nearnesses { try rules.require(.near, .field(nearness.field)) }
            for sort in sorts { try rules.requireSorting(sort.subject) }
        } catch {
            if case .index(let fault) = error.cause { return fault }
        }
        return nil
    }
}
