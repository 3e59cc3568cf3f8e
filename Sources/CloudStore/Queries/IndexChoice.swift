import CloudModel
import GRDB

/// Which index leads: that of the most selective filter, or the one that gives the order asked for.
struct IndexChoice {
    enum Lead {
        /// The table's own order, by zone and id.
        case table
        /// The ids that a filter gives.
        case matches
        case index(column: String)
        /// The records that have words, in the order of their ids; the filter at this place says which.
        case words(Int)
        /// The records with a position, from near to far or back.
        case distance
    }

    /// One key of the order.
    struct Sort {
        let column: String
        let ascending: Bool
        /// For a location field: where its distances are measured from.
        var distance: (origin: Position, field: Int64)?
    }

    let lead: Lead
    /// The order of the answer. It follows from the question alone, so that every page has the same.
    let sorts: [Sort]

    /// Counting stops here: enough to tell a few from many, and a fraction of a millisecond.
    private static let mostCounted = 2_000

    init(
        _ query: ResolvedQuery, _ conditions: QueryConditions, table: String, _ db: Database, _ cache: StatementCache
    ) throws {
        let filters = conditions.filters
        let usable = filters.indices.filter { filters[$0].access != .none }
            .sorted { filters[$0].access < filters[$1].access }
        sorts = Self.sorts(query, best: usable.first.map { filters[$0] })
        let walk = Self.walk(sorts)
        guard let best = usable.first else {
            lead = walk ?? .table
            return
        }
        let isSortServed = sorts.isEmpty || sorts.first?.column == filters[best].column
        if usable.count == 1 && isSortServed || conditions.zone.values.isEmpty {
            lead = Self.lead(best, filters[best], sorts)
            return
        }
        var leader = best
        var fewest = Self.mostCounted
        for index in usable.prefix(4) {
            let count = try Self.count(filters[index], conditions, query.type, table: table, upTo: fewest, db, cache)
            if count < fewest { (leader, fewest) = (index, count) }
        }
        // Many matches: better to walk in order and skip than to sort them all for one page.
        let walks = fewest == Self.mostCounted
        lead = (walks ? walk : nil) ?? Self.lead(leader, filters[leader], sorts)
    }

    /// What gives the first key's order.
    private static func walk(_ sorts: [Sort]) -> Lead? {
        guard let first = sorts.first else { return nil }
        if first.distance != nil { return .distance }
        return SchemaTables.isSparse(first.column) ? nil : .index(column: first.column)
    }

    private static func lead(_ index: Int, _ filter: QueryConditions.Filter, _ sorts: [Sort]) -> Lead {
        switch filter.access {
        case .none: .table
        case .list: .matches
        case .words: sorts.isEmpty ? .words(index) : .matches
        case .equality, .oneOf, .range: .index(column: filter.column)
        }
    }

    /// As asked for; else by id, or as the index of a range gives it.
    private static func sorts(_ query: ResolvedQuery, best: QueryConditions.Filter?) -> [Sort] {
        if !query.sorts.isEmpty {
            return query.sorts.map { sort in
                var result = Sort(column: SchemaTables.column(sort.subject), ascending: sort.ascending)
                if let origin = sort.origin, case .field(let field) = sort.subject {
                    result.distance = (origin, field.id)
                }
                return result
            }
        }
        guard let best, best.access == .oneOf || best.access == .range else { return [] }
        return [Sort(column: best.column, ascending: true)]
    }

    private static func count(
        _ filter: QueryConditions.Filter, _ conditions: QueryConditions, _ type: RecordType, table: String,
        upTo limit: Int, _ db: Database, _ cache: StatementCache
    ) throws -> Int {
        let matches = filter.matches ?? matches(filter, conditions, type, table: table)
        var count = 0
        try db.each(
            "SELECT count(*) FROM (\(matches.sql) LIMIT ?)", matches.values + [.integer(Int64(limit))], cache: cache
        ) {
            count = Int($0.integer(0))
            return false
        }
        return count
    }

    private static func matches(
        _ filter: QueryConditions.Filter, _ conditions: QueryConditions, _ type: RecordType, table: String
    ) -> QueryCondition {
        let index =
            filter.access == .list
            ? "NOT INDEXED" : "INDEXED BY \(SchemaTables.index(type, column: filter.column))"
        let condition = conditions.zone && filter.condition
        return QueryCondition(
            sql: "SELECT 1 FROM \(table) v \(index) WHERE \(condition.sql)", values: condition.values)
    }
}
