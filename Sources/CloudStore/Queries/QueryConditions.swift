import CloudModel

/// A piece of a WHERE clause with the values it binds.
struct QueryCondition {
    var sql: String
    var values: [SQLValue]

    /// Other words for the same values.
    func with(sql: String) -> QueryCondition { QueryCondition(sql: sql, values: values) }

    static func && (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        QueryCondition(sql: "\(left.sql) AND \(right.sql)", values: left.values + right.values)
    }
}

/// The filters of a query as SQL over a values table `v`. Records without a value match no filter, negated or not.
struct QueryConditions {
    struct Filter {
        let column: String
        let condition: QueryCondition
        let access: Access
        /// A statement that gives a row for each match; nil where the condition finds them by itself.
        var matches: QueryCondition?
    }

    /// How an index would find the records of a filter, best first.
    enum Access: Int, Comparable {
        case equality, oneOf, list, words, range, none

        static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
    }

    let zone: QueryCondition
    let filters: [Filter]

    /// - Throws: `BAD_REQUEST` for a search for more than the index of words takes at once.
    init(_ query: ResolvedQuery, zones: [Int64], creator: String?) throws(ServerError) {
        zone = Self.oneOf("v.zone", zones.map(SQLValue.integer))
        var filters = query.filters.map { Self.filter($0, zones: zones, record: nil) }
        for search in query.searches { filters.append(try Self.search(search, zones: zones)) }
        filters += query.nearnesses.map { Self.nearness($0, zones: zones, record: nil) }
        if let creator {
            filters.append(
                Filter(
                    column: "created_by",
                    condition: QueryCondition(sql: "v.created_by = ?", values: [.text(creator)]), access: .equality))
        }
        self.filters = filters
    }

    /// All but the searches, which are asked of the record's own words, for one record.
    init(_ query: ResolvedQuery, zone: Int64, record: Int64) {
        self.zone = QueryCondition(sql: "v.zone = ? AND v.id = ?", values: [.integer(zone), .integer(record)])
        filters =
            query.filters.map { Self.filter($0, zones: [zone], record: record) }
            + query.nearnesses.map { Self.nearness($0, zones: [zone], record: record) }
    }

    var all: QueryCondition { all(but: nil) }

    /// All of them, but for one that is seen to otherwise.
    func all(but index: Int?) -> QueryCondition {
        filters.indices.reduce(zone) { $1 == index ? $0 : $0 && filters[$1].condition }
    }

    private static func search(_ search: ResolvedQuery.Search, zones: [Int64]) throws(ServerError) -> Filter {
        guard !zones.isEmpty else {
            return Filter(column: "id", condition: QueryCondition(sql: "0", values: []), access: .none)
        }
        let match = SQLValue.text(try WordMatch.text(search, zones: zones))
        return Filter(
            column: "id",
            condition: QueryCondition(
                sql: "v.id IN (SELECT rowid FROM words WHERE words MATCH ?)", values: [match]),
            access: .words, matches: QueryCondition(sql: "SELECT 1 FROM words WHERE words MATCH ?", values: [match]))
    }

    private static func nearness(_ nearness: ResolvedQuery.Nearness, zones: [Int64], record: Int64?) -> Filter {
        let (circle, field) = (nearness.circle, nearness.field.id)
        guard record == nil else {
            let inside = PositionSearch.isInside(circle, "p")
            return Filter(
                column: "id",
                condition: QueryCondition(
                    sql:
                        "EXISTS (SELECT 1 FROM positions p WHERE p.record = v.id AND p.field = \(field) AND \(inside.sql))",
                    values: inside.values), access: .list)
        }
        let records = PositionSearch.records(in: circle, field: field, zones: zones)
        return Filter(
            column: "id", condition: QueryCondition(sql: "v.id IN (\(records.sql))", values: records.values),
            access: .list, matches: records)
    }

    private static func filter(_ filter: ResolvedQuery.Filter, zones: [Int64], record: Int64?) -> Filter {
        let column = SchemaTables.column(filter.subject)
        let keys = filter.keys.map(SQLValue.init)
        if filter.comparator.appliesToLists {
            let list = ListCondition(filter.subject, column: column, zones: zones, record: record)
            return Filter(
                column: column, condition: list.condition(filter.comparator, keys),
                access: list.access(filter.comparator))
        }
        return Filter(
            column: column, condition: scalar("v.\(column)", filter.comparator, keys), access: access(filter.comparator)
        )
    }

    private static func access(_ comparator: Comparator) -> Access {
        switch comparator {
        case .equals: .equality
        case .in: .oneOf
        case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .beginsWith: .range
        default: .none
        }
    }

    private static func scalar(_ column: String, _ comparator: Comparator, _ keys: [SQLValue]) -> QueryCondition {
        switch comparator {
        case .notEquals: QueryCondition(sql: "\(column) <> ?", values: keys)
        case .lessThan: QueryCondition(sql: "\(column) < ?", values: keys)
        case .lessThanOrEquals: QueryCondition(sql: "\(column) <= ?", values: keys)
        case .greaterThan: QueryCondition(sql: "\(column) > ?", values: keys)
        case .greaterThanOrEquals: QueryCondition(sql: "\(column) >= ?", values: keys)
        case .in: oneOf(column, keys)
        case .notIn: QueryCondition(sql: "\(column) NOT IN (\(places(keys)))", values: keys)
        case .beginsWith: prefix(column, keys)
        case .notBeginsWith:
            QueryCondition(sql: "NOT (\(prefix(column, keys).sql))", values: prefix(column, keys).values)
        default: QueryCondition(sql: "\(column) = ?", values: keys)
        }
    }

    static func oneOf(_ column: String, _ values: [SQLValue]) -> QueryCondition {
        values.count == 1
            ? QueryCondition(sql: "\(column) = ?", values: values)
            : QueryCondition(sql: "\(column) IN (\(places(values)))", values: values)
    }

    private static func places(_ values: [SQLValue]) -> String {
        String(repeating: "?, ", count: max(values.count - 1, 0)) + (values.isEmpty ? "" : "?")
    }

    /// Text that starts with the operand: a range, since text is in the order of its scalars.
    static func prefix(_ column: String, _ keys: [SQLValue]) -> QueryCondition {
        guard case .text(let start)? = keys.first else { return QueryCondition(sql: "0", values: []) }
        guard let end = successor(of: start) else {
            return QueryCondition(sql: "\(column) >= ?", values: [.text(start)])
        }
        return QueryCondition(sql: "\(column) >= ? AND \(column) < ?", values: [.text(start), .text(end)])
    }

    /// The least text greater than everything that starts with `prefix`; nil when there is none.
    static func successor(of prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            return String(String.UnicodeScalarView(scalars))
        }
        return nil
    }
}
