import CloudModel
import CloudSQL

/// The list comparators, as SQL over the table of list elements (reference A §5.3).
struct ListCondition {
    let comparator: Comparator
    let field: Int64
    let column: String
    let keys: OperandKeys
    /// The prefix of long values in the index of elements; nil for whole values.
    private let prefix: IndexPrefix?

    init(_ filter: ResolvedQuery.Filter, column: String, _ keys: OperandKeys, _ prefix: IndexPrefix?) {
        self.prefix = prefix
        if case .field(let definition) = filter.subject { field = definition.id } else { field = 0 }
        comparator = filter.comparator
        self.column = column
        self.keys = keys
    }

    /// True if records can be found by an element that the condition requires.
    var isPositive: Bool {
        switch comparator {
        case .listContains, .listContainsAll, .listContainsAny, .listMemberBeginsWith: true
        default: false
        }
    }

    /// The condition on a row `v`.
    var condition: QueryCondition {
        switch comparator {
        case .listContainsAll: all
        case .notListContainsAll: not(all)
        case .listContains, .listContainsAny, .listMemberBeginsWith: some
        default: not(some)
        }
    }

    private var some: QueryCondition {
        let elements = ofRecord("1")
        return elements.with(sql: "EXISTS (\(elements.sql))")
    }

    private var all: QueryCondition {
        if keys.distinctCount == 1 { return some }
        // Count, rather than one AND per element: SQLite limits the depth of expressions.
        let elements = ofRecord("count(*)")
        let count = keys.count(zone: "v.zone")
        return QueryCondition(sql: "(\(elements.sql)) = \(count.sql)", values: elements.values + count.values)
    }

    private func not(_ condition: QueryCondition) -> QueryCondition {
        QueryCondition(sql: "v.\(column) IS NOT NULL AND NOT (\(condition.sql))", values: condition.values)
    }

    /// Selects the wanted elements of a row `v`. Searches the record's elements, which are usually fewer than all elements of
    /// a value.
    private func ofRecord(_ result: String) -> QueryCondition {
        let wanted = wanted(keys)
        return wanted.with(
            sql: """
                SELECT \(result) FROM elements e /*!INDEXED BY elements_record*/
                WHERE e.record = v.id AND e.field = \(field) AND e.zone = v.zone AND \(wanted.sql)
                """)
    }

    private func wanted(_ keys: OperandKeys, by prefix: IndexPrefix? = nil) -> QueryCondition {
        let isPrefix = comparator == .listMemberBeginsWith || comparator == .notListMemberBeginsWith
        return keys.condition(isPrefix ? .beginsWith : .in, "e.value", zone: "e.zone", prefix)
    }

    // MARK: Finding records by it

    /// A subquery for record ids: records with any wanted element, or with the first element if all are required.
    func ids(zones: [Int64]) -> QueryCondition {
        let zone = QueryConditions.oneOf("e.zone", zones.map(SQLValue.integer))
        let wanted = wanted(comparator == .listContainsAll ? keys.first : keys, by: prefix)
        return QueryCondition(
            sql: "SELECT e.record FROM elements e WHERE e.field = \(field) AND \(zone.sql) AND \(wanted.sql)",
            values: zone.values + wanted.values)
    }

    /// True if the comparator requires several elements.
    var needsSeveral: Bool { comparator == .listContainsAll && keys.distinctCount > 1 }

    /// The records of one zone with one element, by ascending id; nil for other conditions.
    func stream(zone: Int64) -> QueryConditions.Stream? {
        guard comparator != .listMemberBeginsWith, keys.homes.isEmpty, keys.distinctCount == 1 else { return nil }
        let element = keys.condition(.equals, "e.value", zone: "e.zone", prefix)
        return QueryConditions.Stream(
            table: "elements e", id: "e.record",
            condition: QueryCondition(sql: "e.field = \(field) AND e.zone = ?", values: [.integer(zone)]) && element)
    }
}

extension OperandKeys {
    fileprivate var first: OperandKeys {
        OperandKeys(keys: Array(keys.prefix(1)), homes: homes.filter { $0.operand == 0 })
    }

    private init(keys: [SQLValue], homes: [Home]) { (self.keys, self.homes) = (keys, homes) }
}
