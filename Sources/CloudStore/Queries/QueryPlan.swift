import CloudModel
import GRDB

/// How a query is answered: by which index, in what order, in which statements.
///
/// SQLite's planner has no statistics here and would trade a selective index for a free sort order, so the index
/// is chosen here and named in the statement.
struct QueryPlan {
    struct Key: Hashable {
        let column: String
        let ascending: Bool
        let isNullable: Bool
    }

    struct Statement {
        let sql: String
        let values: [SQLValue]
    }

    /// The sort keys, the record's id last.
    let order: [Key]
    private let table: String
    private let index: String?
    private let condition: QueryCondition
    private let hasZones: Bool
    /// Whether the records of the shares lead, because they are few.
    private let isByShare: Bool

    init(
        _ query: ResolvedQuery, zones: QueryZones, zoneWide: Bool, creator: String?, _ db: Database,
        _ cache: StatementCache
    ) throws {
        table = SchemaTables.table(query.type)
        hasZones = !zones.all.isEmpty
        let conditions = QueryConditions(query, zones: zones.all, creator: creator)
        condition = zones.visibility.map { conditions.all && $0 } ?? conditions.all
        let visible = try zones.visibleCount(upTo: Self.mostByShare, db, cache)
        isByShare = visible.map { $0 < Self.mostByShare } ?? false
        let choice = try IndexChoice(query, conditions, table: table, db, cache)
        index = choice.column.map { SchemaTables.index(query.type, column: $0) }
        var order = choice.sorts.map { column, ascending in
            let isFiltered = conditions.filters.contains { $0.column == column }
            return Key(column: column, ascending: ascending, isNullable: !isFiltered && Self.isNullable(column))
        }
        // Without an order of its own a query over many zones goes zone by zone, as the indexes do.
        if zoneWide && query.sorts.isEmpty {
            order.insert(Key(column: "zone", ascending: true, isNullable: false), at: 0)
        }
        order.append(Key(column: "id", ascending: order.last?.ascending ?? true, isNullable: false))
        self.order = order
    }

    /// Fewer visible records than this are looked at one by one. Many are looked for in an index of the type, which
    /// then holds mostly what is visible.
    private static let mostByShare = 5_000

    private static func isNullable(_ column: String) -> Bool {
        column.hasPrefix("f") || SchemaTables.isSparse(column)
    }

    /// The statements that together give the records after `place`, each wanting a LIMIT bound last.
    func statements(after place: QueryMarkers.Place?) -> [Statement] {
        guard hasZones else { return [] }
        guard let first = order.first, first.isNullable else { return [statement(nil, place)] }
        let segments: [Segment] = first.ascending ? [.absent, .present] : [.present, .absent]
        guard let place, let value = place.first else { return segments.map { statement($0, nil) } }
        let current = value == .null ? Segment.absent : .present
        let rest = segments.drop { $0 != current }
        return rest.enumerated().map { statement($1, $0 == 0 ? place : nil) }
    }

    /// Where the row of a statement above stands.
    func place(of row: SQLRow) -> QueryMarkers.Place {
        order.indices.map { row.value(Int32($0 + 1)) }
    }

    /// The records without and with a value for the first key. SQLite sorts NULLs first; one bound cannot span both.
    private enum Segment { case absent, present }

    private func statement(_ segment: Segment?, _ place: QueryMarkers.Place?) -> Statement {
        var sql = "SELECT r.body"
        for key in order { sql += ", v.\(key.column)" }
        if isByShare {
            sql += " FROM records r INDEXED BY records_share CROSS JOIN \(table) v NOT INDEXED"
            sql += " ON v.zone = r.zone AND v.id = r.id WHERE " + condition.sql
        } else {
            sql += " FROM \(table) v " + (index.map { "INDEXED BY \($0)" } ?? "NOT INDEXED")
            sql += " CROSS JOIN records r ON r.id = v.id WHERE " + condition.sql
        }
        var values = condition.values
        switch segment {
        case .absent: sql += " AND v.\(order[0].column) IS NULL"
        // Below every value there is: unlike IS NOT NULL, a bound the index can start from.
        case .present: sql += " AND v.\(order[0].column) >= -9e999"
        case nil: break
        }
        if let place {
            let after = KeysetBound(order, place, skipsFirst: segment == .absent)
            sql += " AND " + after.sql
            values += after.values
        }
        let directions = order.map { "v.\($0.column)" + ($0.ascending ? "" : " DESC") }
        sql += " ORDER BY " + directions.joined(separator: ", ") + " LIMIT ?"
        return Statement(sql: sql, values: values)
    }
}

/// The condition that a row comes after a place in the order.
private struct KeysetBound {
    var sql = ""
    var values: [SQLValue] = []

    init(_ order: [QueryPlan.Key], _ place: QueryMarkers.Place, skipsFirst: Bool) {
        let keys = Array(zip(order, place).dropFirst(skipsFirst ? 1 : 0))
        guard let first = keys.first else { return }
        let isUniform = keys.allSatisfy { $0.0.ascending == first.0.ascending }
        // The segment says that the first key of the order has a value, but of no other key.
        let isFirstPresent = !skipsFirst || !first.0.isNullable
        if isUniform && isFirstPresent && keys.dropFirst().allSatisfy({ !$0.0.isNullable }) {
            // One row value: the index seeks to the very place, ties included.
            let columns = keys.map { "v.\($0.0.column)" }.joined(separator: ", ")
            let places = keys.map { _ in "?" }.joined(separator: ", ")
            sql = "(\(columns)) \(first.0.ascending ? ">" : "<") (\(places))"
            values = keys.map(\.1)
            return
        }
        if first.1 != .null && (isFirstPresent || first.0.ascending) {
            sql = "v.\(first.0.column) \(first.0.ascending ? ">=" : "<=") ? AND "
            values = [first.1]
        }
        let alternatives = keys.indices.compactMap { alternative(keys, differingAt: $0) }
        sql += "(" + alternatives.joined(separator: " OR ") + ")"
    }

    /// Equal up to a key, and after the place by that key.
    private mutating func alternative(
        _ keys: [(QueryPlan.Key, SQLValue)], differingAt index: Int
    ) -> String? {
        let (key, value) = keys[index]
        let equal = keys[..<index].map { "v.\($0.0.column) IS ?" }
        let after: String
        switch (key.ascending, value) {
        case (true, .null): after = "v.\(key.column) IS NOT NULL"
        case (false, .null): return nil
        case (true, _): after = "v.\(key.column) > ?"
        case (false, _):
            after = key.isNullable ? "(v.\(key.column) < ? OR v.\(key.column) IS NULL)" : "v.\(key.column) < ?"
        }
        values += keys[..<index].map(\.1)
        if value != .null { values.append(value) }
        return "(" + (equal + [after]).joined(separator: " AND ") + ")"
    }
}
