import CloudModel
import GRDB

/// Which index leads: that of the most selective filter, or the one that gives the order asked for.
struct IndexChoice {
    enum Lead {
        /// The table's own order, by zone and id.
        case table
        /// The ids that the filter at this place gives.
        case matches(Int)
        case index(column: String)
        /// What the filter at this place gives in the order of the ids.
        case stream(Int)
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

    init(
        _ query: ResolvedQuery, _ conditions: QueryConditions, table: String, few: Int, _ db: Database,
        _ cache: StatementCache
    ) throws {
        let filters = conditions.filters
        let usable = filters.indices.filter { filters[$0].access != .none }
            .sorted { filters[$0].access < filters[$1].access }
        let sorts = Self.sorts(query, best: usable.first.map { filters[$0] })
        self.sorts = sorts
        let walk = Self.walk(sorts)
        guard let best = usable.first else {
            lead = walk ?? .table
            return
        }
        if usable.count == 1 && Self.isOrdered(filters[best], sorts) || conditions.zone.values.isEmpty {
            lead = Self.lead(best, filters[best], sorts)
            return
        }
        var leader = best
        var fewest = few
        for index in usable.prefix(4) {
            let count = try Self.count(filters[index], conditions, query.type, table: table, upTo: fewest, db, cache)
            if count < fewest { (leader, fewest) = (index, count) }
        }
        if fewest < few {
            lead = Self.lead(leader, filters[leader], sorts)
        } else if let walk {
            // Many matches: better to walk in order and skip than to sort them all for one page.
            lead = walk
        } else if let ordered = usable.first(where: { Self.isOrdered(filters[$0], sorts) }) {
            lead = Self.lead(ordered, filters[ordered], sorts)
        } else {
            lead = sorts.isEmpty ? .table : Self.lead(best, filters[best], sorts)
        }
    }

    /// Whether what a filter finds comes in the order asked for.
    private static func isOrdered(_ filter: QueryConditions.Filter, _ sorts: [Sort]) -> Bool {
        if sorts.isEmpty { return filter.ids == nil || filter.stream != nil }
        return filter.ids == nil && sorts.first?.column == filter.column
    }

    /// What gives the first key's order.
    private static func walk(_ sorts: [Sort]) -> Lead? {
        guard let first = sorts.first else { return nil }
        if first.distance != nil { return .distance }
        return SchemaTables.isSparse(first.column) ? nil : .index(column: first.column)
    }

    private static func lead(_ index: Int, _ filter: QueryConditions.Filter, _ sorts: [Sort]) -> Lead {
        if sorts.isEmpty && filter.stream != nil { return .stream(index) }
        if filter.ids != nil { return .matches(index) }
        return filter.access == .none ? .table : .index(column: filter.column)
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
        let matches = filter.ids ?? matches(filter, conditions, type, table: table)
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
        let index = "INDEXED BY \(SchemaTables.index(type, column: filter.column))"
        let condition = conditions.zone && filter.condition
        return QueryCondition(
            sql: "SELECT 1 FROM \(table) v \(index) WHERE \(condition.sql)", values: condition.values)
    }
}
