/// The rows of one deferred statement, in order.
package struct DeferredRows {
    package let statement: DeferredStatement
    package internal(set) var rows: [[SQLValue]]
}

/// The most rows in one multi-row statement.
private let mostRows = 64

extension SQLDriver {
    /// Writes rows in multi-row statements where possible, otherwise one by one.
    package func write(_ batch: [DeferredRows]) throws {
        for kind in batch { try write(kind.rows, kind.statement) }
    }

    private func write(_ rows: [[SQLValue]], _ statement: DeferredStatement) throws {
        if rows.count == 1 { return try run(statement.sql, rows[0]) }
        var rest = rows[...]
        // A few fixed sizes keep the number of prepared statements small.
        var size = mostRows
        while size > 1, size * (rest.first?.count ?? 0) > dialect.spelling.mostValues { size /= 4 }
        while size > 1 {
            while rest.count >= size, let sql = statement.sql(rows: size) {
                try run(sql, rest.prefix(size).flatMap(\.self), isMadeToOrder: true)
                rest = rest.dropFirst(size)
            }
            size /= 4
        }
        for values in rest { try run(statement.sql, values) }
    }

    func run(_ sql: String, _ values: [SQLValue] = [], isMadeToOrder: Bool = false) throws {
        try each(sql, values, isMadeToOrder: isMadeToOrder) { _ in false }
    }
}
