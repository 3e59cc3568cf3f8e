import CloudModel

/// A piece of a WHERE clause with the values it binds.
struct QueryCondition {
    var sql: String
    var values: [SQLValue]

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
    }

    /// How an index would find the records of a filter, best first.
    enum Access: Int, Comparable {
        case equality, oneOf, list, range, none

        static func < (left: Access, right: Access) -> Bool { left.rawValue < right.rawValue }
    }

    let zone: QueryCondition
    let filters: [Filter]

    /// - Parameter record: the one record that is asked about; nil for all.
    init(_ query: ResolvedQuery, zones: [Int64], creator: String?, record: Int64? = nil) {
        let zone = Self.oneOf("v.zone", zones.map(SQLValue.integer))
        self.zone = record.map { zone && QueryCondition(sql: "v.id = ?", values: [.integer($0)]) } ?? zone
        var filters = query.filters.map { Self.filter($0, zones: zones, record: record) }
        if let creator {
            filters.append(
                Filter(
                    column: "created_by",
                    condition: QueryCondition(sql: "v.created_by = ?", values: [.text(creator)]), access: .equality))
        }
        self.filters = filters
    }

    var all: QueryCondition { filters.reduce(zone) { $0 && $1.condition } }

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

/// The list comparators, which ask the table of elements (reference A §5.3).
private struct ListCondition {
    let field: Int64
    let column: String
    let zone: QueryCondition

    init(_ subject: ResolvedQuery.Subject, column: String, zones: [Int64], record: Int64?) {
        if case .field(let definition) = subject { field = definition.id } else { field = 0 }
        self.column = column
        let zone = QueryConditions.oneOf("zone", zones.map(SQLValue.integer))
        // So that asking about one record does not look at all that have the value.
        self.zone = record.map { zone && QueryCondition(sql: "record = ?", values: [.integer($0)]) } ?? zone
    }

    func access(_ comparator: Comparator) -> QueryConditions.Access {
        switch comparator {
        case .listContains, .listContainsAll, .listContainsAny, .listMemberBeginsWith: .list
        default: .none
        }
    }

    func condition(_ comparator: Comparator, _ keys: [SQLValue]) -> QueryCondition {
        switch comparator {
        case .listContainsAll: all(keys)
        case .notListContainsAll: not(all(keys))
        case .listContains, .listContainsAny: member(QueryConditions.oneOf("value", keys))
        case .notListContains, .notListContainsAny: not(member(QueryConditions.oneOf("value", keys)))
        case .notListMemberBeginsWith: not(member(QueryConditions.prefix("value", keys)))
        default: member(QueryConditions.prefix("value", keys))
        }
    }

    private func all(_ keys: [SQLValue]) -> QueryCondition {
        var seen: Set<SQLValue> = []
        let distinct = keys.filter { seen.insert($0.identity).inserted }
        if distinct.count == 1 { return member(QueryConditions.oneOf("value", distinct)) }
        // Counted, not one AND for each: SQLite takes an expression only so deep.
        return member(
            QueryConditions.oneOf("value", distinct), grouped: " GROUP BY record HAVING count(*) = \(distinct.count)")
    }

    private func member(_ value: QueryCondition, grouped: String = "") -> QueryCondition {
        QueryCondition(
            sql:
                "v.id IN (SELECT record FROM elements WHERE field = \(field) AND \(zone.sql) AND \(value.sql)\(grouped))",
            values: zone.values + value.values)
    }

    private func not(_ condition: QueryCondition) -> QueryCondition {
        QueryCondition(sql: "v.\(column) IS NOT NULL AND NOT (\(condition.sql))", values: condition.values)
    }
}

extension SQLValue {
    /// Equal for what SQLite takes to be equal: numbers by their value, text by its bytes.
    fileprivate var identity: SQLValue {
        switch self {
        case .real(let real): Int64(exactly: real).map(SQLValue.integer) ?? self
        case .text(let text): .blob(Array(text.utf8))
        default: self
        }
    }
}
