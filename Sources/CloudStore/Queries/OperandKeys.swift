import CloudModel
import CloudSQL

/// The keys that a filter compares with its column. A reference that names a zone has a different key in records of that
/// zone; these keys are the homes.
struct OperandKeys {
    struct Home {
        let zone: SQLValue
        /// The index of the operand among the keys.
        let operand: Int
        let key: SQLValue
    }

    let keys: [SQLValue]
    let homes: [Home]

    /// - Parameter zones: row ids of zones; other zones have no records.
    init(_ filter: ResolvedQuery.Filter, zones: [ZoneID: Int64]) {
        keys = filter.keys.map(SQLValue.init)
        homes = filter.homes.compactMap { home in
            zones[home.zone].map { Home(zone: .integer($0), operand: home.operand, key: SQLValue(home.key)) }
        }
    }

    /// The comparison with a column, given the column of the row's zone. An index can serve its first part.
    func condition(_ comparator: Comparator, _ column: String, zone: String) -> QueryCondition {
        switch comparator {
        case .equals, .in: oneOf(column, zone: zone)
        case .notEquals, .notIn: noneOf(column, zone: zone)
        case .lessThan: below(column, "<", zone: zone)
        case .lessThanOrEquals: below(column, "<=", zone: zone)
        case .greaterThan: above(column, ">", zone: zone)
        case .greaterThanOrEquals: above(column, ">=", zone: zone)
        case .notBeginsWith:
            QueryCondition(
                sql: "NOT (\(QueryConditions.prefix(column, keys).sql))",
                values: QueryConditions.prefix(column, keys).values)
        default: QueryConditions.prefix(column, keys)
        }
    }

    /// The comparison with an index that holds only prefixes of values.
    func condition(
        _ comparator: Comparator, _ column: String, zone: String, _ prefix: IndexPrefix?
    ) -> QueryCondition {
        let whole = condition(comparator, column, zone: zone)
        guard let prefix, let beginning = beginning(comparator, column, prefix) else { return whole }
        return beginning && whole
    }

    /// A condition on prefixes that every matching value meets; nil if prefixes cannot narrow the search.
    func beginning(_ comparator: Comparator, _ column: String, _ prefix: IndexPrefix) -> QueryCondition? {
        guard let first = keys.first else { return nil }
        let column = prefix.of(column)
        switch comparator {
        case .equals, .in: return QueryConditions.oneOf(column, (keys + homes.map(\.key)).map(prefix.of))
        case .lessThan, .lessThanOrEquals:
            return QueryCondition(sql: "\(column) <= ?", values: [prefix.of(first)])
        case .greaterThan, .greaterThanOrEquals:
            return QueryCondition(sql: "\(column) >= ?", values: [prefix.of(homes.first?.key ?? first)])
        case .beginsWith:
            guard case .text(let start) = first else { return nil }
            let least = QueryCondition(sql: "\(column) >= ?", values: [prefix.of(first)])
            guard let end = QueryConditions.successor(of: start) else { return least }
            return least && QueryCondition(sql: "\(column) <= ?", values: [prefix.of(.text(end))])
        default: return nil
        }
    }

    func oneOf(_ column: String, zone: String) -> QueryCondition {
        guard !homes.isEmpty else { return QueryConditions.oneOf(column, keys) }
        let all = keys + homes.map(\.key)
        return QueryCondition(
            sql: """
                \(column) IN (\(QueryConditions.places(all))) AND (\(column) IN (\(QueryConditions.places(keys))) \
                OR (\(zone), \(column)) IN (\(pairs)))
                """,
            values: all + keys + pairValues)
    }

    private func noneOf(_ column: String, zone: String) -> QueryCondition {
        let others = QueryCondition(sql: "\(column) NOT IN (\(QueryConditions.places(keys)))", values: keys)
        guard !homes.isEmpty else { return others }
        return others && QueryCondition(sql: "(\(zone), \(column)) NOT IN (\(pairs))", values: pairValues)
    }

    /// A list of rows. SQLite wants VALUES before it; in PostgreSQL the parameters have the types of the compared columns
    /// only without.
    private var pairs: String { "/*!VALUES*/ " + homes.map { _ in "(?, ?)" }.joined(separator: ", ") }
    private var pairValues: [SQLValue] { homes.flatMap { [$0.zone, $0.key] } }

    // A name without its zone sorts before the same name with its zone.

    private func below(_ column: String, _ sign: String, zone: String) -> QueryCondition {
        let others = QueryCondition(sql: "\(column) \(sign) ?", values: keys)
        guard let home = homes.first else { return others }
        return others
            && QueryCondition(sql: "(\(zone) <> ? OR \(column) \(sign) ?)", values: [home.zone, home.key])
    }

    private func above(_ column: String, _ sign: String, zone: String) -> QueryCondition {
        guard let home = homes.first else { return QueryCondition(sql: "\(column) \(sign) ?", values: keys) }
        return QueryCondition(
            sql: "\(column) \(sign) ? AND (\(zone) = ? OR \(column) \(sign) ?)", values: [home.key, home.zone] + keys)
    }

    // MARK: How many they are

    /// The number of keys that SQLite treats as different.
    var distinctCount: Int { Set(keys.map(\.identity)).count }

    /// The number of different operands in a zone's records: with and without the zone's name, an operand may have the same
    /// key there.
    func count(zone: String) -> QueryCondition {
        let named = Set(homes.map(\.operand))
        let unnamed = Set(keys.indices.filter { !named.contains($0) }.map { keys[$0].identity })
        let doubled = Dictionary(grouping: homes.filter { unnamed.contains($0.key.identity) }, by: \.zone)
            .mapValues { Set($0.map(\.key.identity)).count }
        guard !doubled.isEmpty else { return QueryCondition(sql: String(distinctCount), values: []) }
        let cases = doubled.map { _ in " WHEN ? THEN ?" }.joined()
        return QueryCondition(
            sql: "CASE \(zone)\(cases) ELSE \(distinctCount) END",
            values: doubled.flatMap { [$0.key, .integer(Int64(distinctCount - $0.value))] })
    }
}

extension SQLValue {
    /// Equal for values that SQLite treats as equal: numbers by value, text by bytes.
    var identity: SQLValue {
        switch self {
        case .real(let real): Int64(exactly: real).map(SQLValue.integer) ?? self
        case .text(let text): .blob(Array(text.utf8))
        default: self
        }
    }
}
