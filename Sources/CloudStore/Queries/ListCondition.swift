import CloudModel
import CloudSQL

/// The list comparators, which ask the table of elements (reference A §5.3).
struct ListCondition {
    let comparator: Comparator
    let field: Int64
    let column: String
    let keys: OperandKeys
    /// What the index of elements has of long values; nil for all.
    private let prefix: IndexPrefix?

    init(_ filter: ResolvedQuery.Filter, column: String, _ keys: OperandKeys, _ prefix: IndexPrefix?) {
        self.prefix = prefix
        if case .field(let definition) = filter.subject { field = definition.id } else { field = 0 }
        comparator = filter.comparator
        self.column = column
        self.keys = keys
    }

    /// True if the condition needs some element by which the records can be found.
    var isPositive: Bool {
        switch comparator {
        case .listContains, .listContainsAll, .listContainsAny, .listMemberBeginsWith: true
        default: false
        }
    }

    /// Asked of a row `v`.
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
        // Counted, not one AND for each: SQLite takes an expression only so deep.
        let elements = ofRecord("count(*)")
        let count = keys.count(zone: "v.zone")
        return QueryCondition(sql: "(\(elements.sql)) = \(count.sql)", values: elements.values + count.values)
    }

    private func not(_ condition: QueryCondition) -> QueryCondition {
        QueryCondition(sql: "v.\(column) IS NOT NULL AND NOT (\(condition.sql))", values: condition.values)
    }

    /// The elements wanted that a row `v` has. A record's elements are fewer than those of a value may be.
    private func ofRecord(_ result: String) -> QueryCondition {
        let wanted = wanted(keys)
        return wanted.with(
            sql: """
                SELECT \(result) FROM elements e INDEXED BY elements_record
                WHERE e.record = v.id AND e.field = \(field) AND e.zone = v.zone AND \(wanted.sql)
                """)
    }

    private func wanted(_ keys: OperandKeys, by prefix: IndexPrefix? = nil) -> QueryCondition {
        let isPrefix = comparator == .listMemberBeginsWith || comparator == .notListMemberBeginsWith
        return keys.condition(isPrefix ? .beginsWith : .in, "e.value", zone: "e.zone", prefix)
    }

    // MARK: Finding records by it

    /// The records that have the elements, or for several that are all wanted the first of them, as a subquery.
    func ids(zones: [Int64]) -> QueryCondition {
        let zone = QueryConditions.oneOf("e.zone", zones.map(SQLValue.integer))
        let wanted = wanted(comparator == .listContainsAll ? keys.first : keys, by: prefix)
        return QueryCondition(
            sql: "SELECT e.record FROM elements e WHERE e.field = \(field) AND \(zone.sql) AND \(wanted.sql)",
            values: zone.values + wanted.values)
    }

    /// True if a record must have more than one of the elements.
    var needsSeveral: Bool { comparator == .listContainsAll && keys.distinctCount > 1 }

    /// The records of one zone that have one element, in the order of their ids; nil where more is asked.
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
