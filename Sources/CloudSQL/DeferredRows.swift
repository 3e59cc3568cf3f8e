/// The rows of one statement that has waited, in their order.
package struct DeferredRows {
    package let statement: DeferredStatement
    package internal(set) var rows: [[SQLValue]]
}

/// The most rows that one statement of a batch takes.
private let mostRows = 64

extension SQLDriver {
    /// Writes many rows at once where the statement takes them, the others one by one.
    package func write(_ batch: [DeferredRows]) throws {
        for kind in batch { try write(kind.rows, kind.statement) }
    }

    private func write(_ rows: [[SQLValue]], _ statement: DeferredStatement) throws {
        if rows.count == 1 { return try run(statement.sql, rows[0]) }
        var rest = rows[...]
        // Of a few sizes, so that few statements are ever prepared.
        var size = mostRows
        while size > 1, size * (rest.first?.count ?? 0) > dialect.mostValues { size /= 4 }
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
