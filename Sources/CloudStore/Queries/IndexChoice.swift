import CloudModel
import CloudSQL

/// The choice of the leading index: the most selective filter's, or the sort order's.
struct IndexChoice {
    enum Lead {
        /// The table's own order, by zone and id.
        case table
        /// Record ids from a filter's subquery, by filter index.
        case matches(Int)
        case index(column: String)
        /// The zones' records by name.
        case names
        /// A filter's records by ascending id, by filter index.
        case stream(Int)
        /// The records with a position, by ascending or descending distance.
        case distance
    }

    /// A sort key.
    struct Sort {
        let column: String
        let ascending: Bool
        /// The prefix of long values in the column's index; nil for whole values.
        let prefix: IndexPrefix?
        /// The origin and field id of a location key.
        var distance: (origin: Coordinate, field: Int64)?
    }

    let lead: Lead
    /// The sort keys of the answer. They depend on the query alone, so all pages have the same order.
    let sorts: [Sort]
    /// Columns without an index that could lead the query.
    let missing: Set<String>
    /// True if an index is missing or being built, and no existing index narrows the query to few records.
    let lacksIndex: Bool
    /// True if the choice counted no records, so that it holds for all queries that differ only in operands.
    let isCertain: Bool

    init(
        _ query: ResolvedQuery, _ conditions: QueryConditions, zones: [Int64], table: String, few: Int,
        _ db: SQLConnection
    ) throws {
        let filters = conditions.filters
        let ranked = filters.indices.filter { filters[$0].access != .none }
            .sorted { filters[$0].access < filters[$1].access }
        let sorts = Self.sorts(query, best: ranked.first.map { filters[$0] }, db.dialect.spelling)
        self.sorts = sorts
        let wanted = Self.wanted(ranked.map { filters[$0] }, sorts, query.type)
        missing = wanted.filter { query.type.indexes[$0] == nil }
        let isWhole = wanted.allSatisfy(query.type.hasIndex) && conditions.asides.isEmpty
        // The index of names covers all record types, so it does not help to find records of a rare type.
        let asksNames = ranked.contains { filters[$0].byName != nil } || sorts.first?.column == SchemaTables.nameColumn
        let isRare = try asksNames && (zones.isEmpty || Self.count(conditions.zone, table: table, upTo: few, db) < few)
        let usable = ranked.filter { Self.canLead(filters[$0], query.type, isRare: isRare) }
        let walk = Self.walk(sorts, query.type, isRare: isRare)
        guard let best = usable.first else {
            lead = walk ?? .table
            lacksIndex = !isWhole
            isCertain = !asksNames
            return
        }
        if usable.count == 1 && isWhole && Self.isOrdered(filters[best], sorts) || zones.isEmpty {
            lead = Self.lead(best, filters[best], sorts)
            lacksIndex = false
            isCertain = !asksNames && !zones.isEmpty
            return
        }
        isCertain = false
        var leader = best
        var fewest = few
        for index in usable.prefix(4) {
            let count = try Self.count(
                filters[index], conditions, query.type, zones: zones, table: table, upTo: fewest, db)
            if count < fewest { (leader, fewest) = (index, count) }
        }
        lacksIndex = !isWhole && fewest >= few
        if fewest < few {
            lead = Self.lead(leader, filters[leader], sorts)
        } else if let walk {
            // Many matches: walking in order and skipping is cheaper than sorting all for one page.
            lead = walk
        } else if let ordered = usable.first(where: { Self.isOrdered(filters[$0], sorts) }) {
            lead = Self.lead(ordered, filters[ordered], sorts)
        } else {
            lead = sorts.isEmpty ? .table : Self.lead(best, filters[best], sorts)
        }
    }

    /// Returns true if the filter gives records in the sort order.
    private static func isOrdered(_ filter: QueryConditions.Filter, _ sorts: [Sort]) -> Bool {
        if sorts.isEmpty { return filter.ids == nil || filter.stream != nil }
        return filter.ids == nil && sorts.first?.column == filter.column
    }

    /// Returns true if an index or the filter's own ids can find its records.
    private static func canLead(_ filter: QueryConditions.Filter, _ type: RecordType, isRare: Bool) -> Bool {
        if filter.byName != nil { return filter.access != .range || !isRare }
        return filter.ids != nil || type.hasIndex(filter.column)
    }

    /// The columns whose index could lead.
    private static func wanted(
        _ filters: [QueryConditions.Filter], _ sorts: [Sort], _ type: RecordType
    ) -> Set<String> {
        var columns: Set<String> = []
        func add(_ column: String) {
            if SchemaTables.isIndexable(column, of: type) { columns.insert(column) }
        }
        for filter in filters where filter.ids == nil { add(filter.column) }
        if let first = sorts.first, first.distance == nil, !SchemaTables.isSparse(first.column) { add(first.column) }
        return columns
    }

    /// The lead that follows the first sort key.
    private static func walk(_ sorts: [Sort], _ type: RecordType, isRare: Bool) -> Lead? {
        guard let first = sorts.first else { return nil }
        if first.distance != nil { return .distance }
        if first.column == SchemaTables.nameColumn { return isRare ? nil : .names }
        return type.hasIndex(first.column) && !SchemaTables.isSparse(first.column)
            ? .index(column: first.column) : nil
    }

    private static func lead(_ index: Int, _ filter: QueryConditions.Filter, _ sorts: [Sort]) -> Lead {
        if sorts.isEmpty && filter.stream != nil { return .stream(index) }
        if filter.ids != nil { return .matches(index) }
        if filter.byName != nil { return .names }
        return filter.access == .none ? .table : .index(column: filter.column)
    }

    /// The query's sort keys; without any, the order of a range filter's index, or none for the order of ids.
    private static func sorts(
        _ query: ResolvedQuery, best: QueryConditions.Filter?, _ spelling: any SQLSpelling
    ) -> [Sort] {
        if !query.sorts.isEmpty {
            return query.sorts.map { sort in
                var result = Sort(
                    column: SchemaTables.column(sort.subject), ascending: sort.ascending,
                    prefix: SchemaTables.indexPrefix(sort.subject, spelling))
                if let origin = sort.origin, case .field(let field) = sort.subject {
                    result.distance = (origin, field.id)
                }
                return result
            }
        }
        guard let best, best.access == .oneOf || best.access == .range else { return [] }
        return [Sort(column: best.column, ascending: true, prefix: best.prefix)]
    }

    private static func count(
        _ filter: QueryConditions.Filter, _ conditions: QueryConditions, _ type: RecordType, zones: [Int64],
        table: String, upTo limit: Int, _ db: SQLConnection
    ) throws -> Int {
        try count(
            filter.ids ?? matches(filter, conditions, type, zones: zones, table: table), upTo: limit, db)
    }

    /// Counts the type's records in the zones, up to a limit.
    static func count(
        _ zone: QueryCondition, table: String, upTo limit: Int, _ db: SQLConnection
    ) throws -> Int {
        try count(zone.with(sql: "SELECT 1 FROM \(table) v /*!NOT INDEXED*/ WHERE \(zone.sql)"), upTo: limit, db)
    }

    private static func count(_ matches: QueryCondition, upTo limit: Int, _ db: SQLConnection) throws -> Int {
        var count = 0
        try db.each(
            "SELECT count(*) FROM (\(matches.sql) LIMIT ?) AS part", matches.values + [.integer(Int64(limit))],
            isMadeToOrder: true
        ) {
            count = Int($0.integer(0))
            return false
        }
        return count
    }

    private static func matches(
        _ filter: QueryConditions.Filter, _ conditions: QueryConditions, _ type: RecordType, zones: [Int64],
        table: String
    ) -> QueryCondition {
        if let byName = filter.byName {
            // Counts other record types too, so the result is an upper bound.
            let condition = QueryConditions.oneOf("n.zone", zones.map(SQLValue.integer)) && byName
            return condition.with(sql: "SELECT 1 FROM records n /*!INDEXED BY records_name*/ WHERE \(condition.sql)")
        }
        let index = "/*!INDEXED BY \(SchemaTables.index(type, column: filter.column))*/"
        let condition = conditions.zone && filter.condition
        return QueryCondition(
            sql: "SELECT 1 FROM \(table) v \(index) WHERE \(condition.sql)", values: condition.values)
    }
}
