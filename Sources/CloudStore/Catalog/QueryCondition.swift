import CloudSQL

/// A WHERE clause fragment with its bound values.
struct QueryCondition {
    var sql: String
    var values: [SQLValue]

    /// The same values with another SQL text.
    func with(sql: String) -> QueryCondition { QueryCondition(sql: sql, values: values) }

    static func && (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        QueryCondition(sql: "\(left.sql) AND \(right.sql)", values: left.values + right.values)
    }
}
