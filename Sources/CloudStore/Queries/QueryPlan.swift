import CloudModel
import CloudSQL

/// A query's plan: index, order and statements.
///
/// Without statistics, SQLite's planner would trade a selective index for a free sort order, so the plan chooses the index
/// and names it in the statement.
struct QueryPlan {
    struct Key: Hashable {
        /// The column or expression to compare.
        let sql: String
        let ascending: Bool
        let isNullable: Bool
        /// The prefix of long values in the column's index; nil for whole values.
        var prefix: IndexPrefix?

        /// The column or prefix in the index.
        var indexed: String { prefix?.of(sql) ?? sql }

        /// The key in ORDER BY, with NULLs placed as in SQLite.
        var direction: String {
            let isColumn = sql.hasPrefix("v.") && sql != "v.zone" && sql != "v.id"
            guard isColumn else { return sql + (ascending ? "" : " DESC") }
            let nulls = ascending ? " NULLS FIRST" : " DESC NULLS LAST"
            return prefix == nil ? sql + nulls : "\(indexed)\(nulls), \(sql)\(nulls)"
        }
    }

    struct Statement: Equatable {
        let sql: String
        let values: [SQLValue]
    }

    /// The sort keys, the record's id last.
    let order: [Key]
    /// Searches to check record by record, since the statements do not cover them.
    let asides: [ResolvedQuery.Search]
    /// Missing indexes that could have led the query.
    let missing: MissingIndexes
    /// True if the plan scans many records for lack of a finished index.
    let lacksIndex: Bool
    /// True if queries that differ only in operands have the same plan.
    let isCertain: Bool
    private let table: String
    private let lead: Lead
    private let condition: QueryCondition
    private let distances: DistanceKeys
    private let locations: any LocationIndex
    private let hasZones: Bool

    /// The source of rows.
    private enum Lead {
        /// The records of the shares, when few are visible.
        case shares
        /// The type's table, by an index or in its own order.
        case table(index: String?)
        /// The zones' records by name.
        case names
        /// The type's table, by a filter's ids.
        case matches
        case stream(QueryConditions.Stream)
        case rings(DistanceWalk)
    }

    /// The name of the query's lead, such as an indexed field; nil for a scan of the type's records.
    let leader: String?

    init(
        _ query: ResolvedQuery, zones: QueryZones, zoneWide: Bool, creator: String?, onlyWithFiles: Bool = false,
        thresholds: QueryThresholds = QueryThresholds(), _ db: SQLConnection
    ) throws {
        table = SchemaTables.table(query.type)
        locations = db.dialect.locations
        hasZones = !zones.all.isEmpty
        let conditions = try QueryConditions(
            query, zones: zones.all, homes: try query.homes(db), creator: creator, db.dialect)
        let choice = try IndexChoice(
            query, conditions, zones: zones.all, table: table, few: thresholds.fewMatches, db)
        asides = conditions.asides
        missing = hasZones ? Self.missing(query, choice) : MissingIndexes(type: query.type.id)
        var filters = conditions.all
        let visible = try zones.visibleCount(upTo: thresholds.fewVisible, db)
        let seesFew = visible.map { $0 < thresholds.fewVisible } ?? false
        let few = thresholds.fewMatches
        lacksIndex =
            try choice.lacksIndex && hasZones && !seesFew
            && IndexChoice.count(conditions.zone, table: table, upTo: few, db) >= few
        isCertain = choice.isCertain && !choice.lacksIndex && visible == nil && missing.isEmpty && asides.isEmpty
        if seesFew {
            lead = .shares
        } else {
            switch choice.lead {
            case .table: lead = .table(index: nil)
            case .matches(let index):
                filters = conditions.all(ledBy: index)
                lead = .matches
            case .names:
                filters = conditions.allByName(zones: zones.all)
                lead = .names
            case .index(let column): lead = .table(index: SchemaTables.index(query.type, column: column))
            case .stream(let index):
                filters = conditions.all(but: index)
                lead = conditions.filters[index].stream.map(Lead.stream) ?? .matches
            case .distance: lead = DistanceWalk(query, zones: zones.all).map(Lead.rings) ?? .table(index: nil)
            }
        }
        leader = Self.leader(lead, choice, query.type)
        if onlyWithFiles { filters = filters && Self.holdsFiles }
        condition = zones.visibility.map { filters && $0 } ?? filters
        distances = DistanceKeys(choice.sorts)
        order = Self.order(choice.sorts, distances, conditions, zoneWide: zoneWide && query.sorts.isEmpty)
    }

    private static let holdsFiles = QueryCondition(
        sql: "EXISTS (SELECT 1 FROM record_assets a WHERE a.record = v.id)", values: [])

    private static func leader(_ lead: Lead, _ choice: IndexChoice, _ type: RecordType) -> String? {
        switch (lead, choice.lead) {
        case (.shares, _): return "shares"
        case (.table, .index(let column)):
            return type.fields.values.first { SchemaTables.column(.field($0)) == column }?.name ?? column
        case (.table, _): return nil
        case (.names, _): return "recordName"
        case (.matches, _), (.stream, _): return "the matches of a filter"
        case (.rings, _): return "distance"
        }
    }

    private static func missing(_ query: ResolvedQuery, _ choice: IndexChoice) -> MissingIndexes {
        var missing = MissingIndexes(type: query.type.id, columns: choice.missing)
        for search in query.searches {
            for field in search.fields where field.words == nil { missing.words.insert(field.id) }
        }
        return missing
    }

    private static func order(
        _ sorts: [IndexChoice.Sort], _ distances: DistanceKeys, _ conditions: QueryConditions, zoneWide: Bool
    ) -> [Key] {
        var order = sorts.enumerated().map { place, sort in
            if let distance = distances.expression(place) {
                return Key(sql: distance, ascending: sort.ascending, isNullable: false)
            }
            let isFiltered = conditions.filters.contains { $0.column == sort.column }
            return Key(
                sql: "v.\(sort.column)", ascending: sort.ascending,
                isNullable: !isFiltered && isNullable(sort.column), prefix: sort.prefix)
        }
        // Without sort keys, a query over many zones goes zone by zone, like the indexes.
        if zoneWide { order.insert(Key(sql: "v.zone", ascending: true, isNullable: false), at: 0) }
        order.append(Key(sql: "v.id", ascending: order.last?.ascending ?? true, isNullable: false))
        return order
    }

    private static func isNullable(_ column: String) -> Bool {
        column.hasPrefix("f") || SchemaTables.isSparse(column)
    }

    /// The statements that together give the records after `place`; bind a LIMIT last to each.
    func statements(after place: QueryMarkers.SortKeys?) -> [Statement] {
        guard hasZones else { return [] }
        if case .rings(let walk) = lead { return rings(walk, after: place) }
        guard let first = order.first, first.isNullable else { return [statement(nil, place)] }
        let segments: [Segment] = first.ascending ? [.absent, .present] : [.present, .absent]
        guard let place, let value = place.first else { return segments.map { statement($0, nil) } }
        let current = value == .null ? Segment.absent : .present
        let rest = segments.drop { $0 != current }
        return rest.enumerated().map { statement($1, $0 == 0 ? place : nil) }
    }

    /// A statement per ring, and a statement for records without a position, which sort as farthest.
    private func rings(_ walk: DistanceWalk, after place: QueryMarkers.SortKeys?) -> [Statement] {
        guard let first = order.first else { return [] }
        var start: Double?
        if case .real(let distance)? = place?.first { start = distance }
        var parts = walk.rings(after: start).map { ring in
            let search = LocationSearch(ring.circle, field: walk.field, zones: walk.zones, locations)
            var condition = search.condition && QueryCondition(sql: "\(first.sql) <= ?", values: [.real(ring.upTo)])
            if let beyond = ring.beyond {
                condition = condition && QueryCondition(sql: "\(first.sql) > ?", values: [.real(beyond)])
            }
            let values = " /*!CROSS*/ JOIN \(table) v /*!NOT INDEXED*/ ON v.zone = p.zone AND v.id = p.record"
            return (source: search.source + values, condition: condition)
        }
        if !walk.isWithin && (first.ascending || start == nil || start == .infinity) {
            let nowhere = (
                source: "\(table) v /*!NOT INDEXED*/",
                condition: QueryCondition(
                    sql:
                        "NOT EXISTS (SELECT 1 FROM locations n WHERE n.record = v.id AND n.field = \(walk.field))",
                    values: [])
            )
            parts.insert(nowhere, at: first.ascending ? parts.count : 0)
        }
        return parts.enumerated().map { index, part in
            statement(from: part.source, part.condition && condition, index == 0 ? place : nil)
        }
    }

    /// The records without or with a value for the first key. SQLite sorts NULLs first, and no single bound covers both.
    private enum Segment { case absent, present }

    private func statement(_ segment: Segment?, _ place: QueryMarkers.SortKeys?) -> Statement {
        var condition = condition
        let source: String
        let values = "\(table) v /*!NOT INDEXED*/"
        switch lead {
        case .shares:
            source =
                "records r /*!INDEXED BY records_share*/ /*!CROSS*/ JOIN \(values) ON v.zone = r.zone AND v.id = r.id"
        case .stream(let stream):
            source = "\(stream.table) /*!CROSS*/ JOIN \(values) ON v.id = \(stream.id)"
            condition = stream.condition && condition
        case .names:
            source =
                "records n /*!INDEXED BY records_name*/ /*!CROSS*/ JOIN \(values) ON v.zone = n.zone AND v.id = n.id"
        case .table(let index): source = index.map { "\(table) v /*!INDEXED BY \($0)*/" } ?? values
        case .rings, .matches: source = values
        }
        switch segment {
        case .absent: condition = condition && QueryCondition(sql: "\(order[0].indexed) IS NULL", values: [])
        case .present:
            // Minus infinity is below every value: unlike IS NOT NULL, a bound that SQLite's index can start from.
            let bound = order[0].prefix == nil ? " /*!AND \(order[0].sql) >= -9e999*/" : ""
            condition = condition && QueryCondition(sql: "\(order[0].indexed) IS NOT NULL\(bound)", values: [])
        case nil: break
        }
        return statement(from: source, condition, place, skipsFirst: segment == .absent)
    }

    private func statement(
        from source: String, _ condition: QueryCondition, _ place: QueryMarkers.SortKeys?, skipsFirst: Bool = false
    ) -> Statement {
        let keys = leadingOrder
        var sql = "SELECT r.body" + keys.map { ", \($0.sql)" }.joined() + " FROM " + source
        sql += distances.joins
        if case .shares = lead {} else { sql += " /*!CROSS*/ JOIN records r ON r.id = v.id" }
        sql += " WHERE " + condition.sql
        var values = distances.values + condition.values
        if let place {
            let after = KeysetBound(boundKeys, place, skipsFirst: skipsFirst)
            sql += " AND " + after.sql
            values += after.values
        }
        sql += " ORDER BY " + keys.map(\.direction).joined(separator: ", ") + " LIMIT ?"
        return Statement(sql: sql, values: values)
    }

    /// The sort keys for a place's bound. With ids as lead, `+` keeps SQLite from walking the table by the bound.
    private var boundKeys: [Key] {
        guard case .matches = lead else { return leadingOrder }
        return order.map { Key(sql: "/*!+*/" + $0.sql, ascending: $0.ascending, isNullable: $0.isNullable) }
    }

    /// The sort keys with the leading table's own columns, so that its index gives the order.
    private var leadingOrder: [Key] {
        if case .names = lead {
            let columns = ["v.zone": "n.zone", "v.name": "n.name", "v.id": "n.id"]
            return order.map { key in
                Key(sql: columns[key.sql] ?? key.sql, ascending: key.ascending, isNullable: key.isNullable)
            }
        }
        guard case .stream(let stream) = lead, order.count == 1 else { return order }
        return [Key(sql: stream.id, ascending: order[0].ascending, isNullable: false)]
    }
}

extension ResolvedQuery {
    /// The row ids of the zones named in the query's references.
    fileprivate func homes(_ db: SQLConnection) throws -> [ZoneID: Int64] {
        var rows: [ZoneID: Int64] = [:]
        for zone in Set(filters.flatMap { $0.homes.map(\.zone) }) { rows[zone] = try ZoneTable.find(zone, db)?.id }
        return rows
    }
}
