import CloudSQL
/// The SQL condition for rows after a place in the sort order.
struct KeysetBound {
    var sql = ""
    var values: [SQLValue] = []

    init(_ order: [QueryPlan.Key], _ place: QueryMarkers.SortKeys, skipsFirst: Bool) {
        let keys = Array(zip(order, place).dropFirst(skipsFirst ? 1 : 0))
        guard let first = keys.first else { return }
        let isUniform = keys.allSatisfy { $0.0.ascending == first.0.ascending }
        // The segment guarantees a value for the first key of the order only.
        let isFirstPresent = !skipsFirst || !first.0.isNullable
        if isUniform && isFirstPresent && keys.dropFirst().allSatisfy({ !$0.0.isNullable }) {
            // A single row value: the index seeks to the exact place, ties included.
            let columns = keys.map { $0.0.sql }.joined(separator: ", ")
            let places = keys.map { _ in "?" }.joined(separator: ", ")
            sql = "(\(columns)) \(first.0.ascending ? ">" : "<") (\(places))"
            values = keys.map(\.1)
            if first.0.prefix != nil { start(at: first) }
            return
        }
        let alternatives = keys.indices.compactMap { alternative(keys, differingAt: $0) }
        sql = "(" + alternatives.joined(separator: " OR ") + ")"
        if first.1 != .null && (isFirstPresent || first.0.ascending) { start(at: first) }
    }

    /// Prepends a condition that an index can start from.
    private mutating func start(at first: (key: QueryPlan.Key, value: SQLValue)) {
        sql = "\(first.key.indexed) \(first.key.ascending ? ">=" : "<=") ? AND " + sql
        values.insert(first.key.prefix?.of(first.value) ?? first.value, at: 0)
    }

    /// Rows with equal keys before `index`, and a later key at `index`.
    private mutating func alternative(
        _ keys: [(QueryPlan.Key, SQLValue)], differingAt index: Int
    ) -> String? {
        let (key, value) = keys[index]
        let equal = keys[..<index].map { "\($0.0.sql) IS NOT DISTINCT FROM ?" }
        let after: String
        switch (key.ascending, value) {
        case (true, .null): after = "\(key.sql) IS NOT NULL"
        case (false, .null): return nil
        case (true, _): after = "\(key.sql) > ?"
        case (false, _):
            after = key.isNullable ? "(\(key.sql) < ? OR \(key.sql) IS NULL)" : "\(key.sql) < ?"
        }
        values += keys[..<index].map(\.1)
        if value != .null { values.append(value) }
        return "(" + (equal + [after]).joined(separator: " AND ") + ")"
    }
}
