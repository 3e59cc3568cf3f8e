import CloudSQL

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
