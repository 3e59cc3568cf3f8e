import CloudModel

/// The list comparators, which ask the table of elements (reference A §5.3).
struct ListCondition {
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
