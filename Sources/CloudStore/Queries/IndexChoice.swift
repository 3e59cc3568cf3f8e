import CloudModel
import GRDB

/// Which index leads: the one of the most selective filter, or the one that gives the order asked for.
struct IndexChoice {
    /// The column whose index leads; nil for the table's own order, by zone and id.
    let column: String?
    /// The order of the answer. It follows from the question alone, so that every page has the same.
    let sorts: [(column: String, ascending: Bool)]

    /// Counting stops here: enough to tell a few from many, and a fraction of a millisecond.
    private static let mostCounted = 2_000

    init(
        _ query: ResolvedQuery, _ conditions: QueryConditions, table: String, _ db: Database, _ cache: StatementCache
    ) throws {
        let usable = conditions.filters.filter { $0.access != .none }.sorted { $0.access < $1.access }
        sorts = Self.sorts(query, best: usable.first)
        let wanted = sorts.first.flatMap { SchemaTables.isSparse($0.column) ? nil : $0.column }
        guard let best = usable.first else {
            column = wanted
            return
        }
        let isSortServed = sorts.isEmpty || sorts.first?.column == best.column
        if usable.count == 1 && isSortServed || conditions.zone.values.isEmpty {
            column = best.access == .list ? nil : best.column
            return
        }
        var leader = best
        var fewest = Self.mostCounted
        for filter in usable.prefix(4) {
            let count = try Self.count(filter, conditions, query.type, table: table, upTo: fewest, db, cache)
            if count < fewest { (leader, fewest) = (filter, count) }
        }
        // Many matches: better to walk in order and skip than to sort them all for one page.
        let walks = fewest == Self.mostCounted && wanted != nil
        column = walks ? wanted : leader.access == .list ? nil : leader.column
    }

    /// As asked for; else by id, or as the index of a range gives it.
    private static func sorts(
        _ query: ResolvedQuery, best: QueryConditions.Filter?
    ) -> [(column: String, ascending: Bool)] {
        if !query.sorts.isEmpty { return query.sorts.map { (SchemaTables.column($0.subject), $0.ascending) } }
        guard let best, best.access == .oneOf || best.access == .range else { return [] }
        return [(best.column, true)]
    }

    private static func count(
        _ filter: QueryConditions.Filter, _ conditions: QueryConditions, _ type: RecordType, table: String,
        upTo limit: Int, _ db: Database, _ cache: StatementCache
    ) throws -> Int {
        let index =
            filter.access == .list
            ? "NOT INDEXED" : "INDEXED BY \(SchemaTables.index(type, column: filter.column))"
        let condition = conditions.zone && filter.condition
        var count = 0
        try db.each(
            "SELECT count(*) FROM (SELECT 1 FROM \(table) v \(index) WHERE \(condition.sql) LIMIT ?)",
            condition.values + [.integer(Int64(limit))], cache: cache
        ) {
            count = Int($0.integer(0))
            return false
        }
        return count
    }
}
