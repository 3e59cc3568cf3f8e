import CloudSQL

/// A prepared statement with parameters, for sending in a pipeline.
struct PostgresCall {
    let name: String
    /// Binary values; nil for NULL.
    let values: [[UInt8]?]
    /// The original SQL text.
    let sql: String

    init(_ statement: PostgresStatement, _ values: [SQLValue], _ sql: String) throws {
        guard statement.types.count == values.count else {
            throw SQLError(.other, "\(statement.types.count) values are wanted, not \(values.count)", sql: sql)
        }
        self.init(
            statement, try Self.encoding(sql) { try zip(values, statement.types).map(ParameterEncoding.bytes) }, sql)
    }

    /// - Parameter rows: rows of equal length; each column becomes one array parameter.
    init(_ statement: PostgresStatement, rows: [[SQLValue]], of types: [PostgresType], _ sql: String) throws {
        let columns = try Self.encoding(sql) {
            try types.enumerated().map { column, type in
                try ParameterEncoding.array(rows.map { $0[column] }, of: type)
            }
        }
        self.init(statement, columns, sql)
    }

    private init(_ statement: PostgresStatement, _ values: [[UInt8]?], _ sql: String) {
        (name, self.values, self.sql) = (statement.name, values, sql)
    }

    private static func encoding<T>(_ sql: String, _ body: () throws -> T) throws -> T {
        do { return try body() } catch let mismatch as ParameterEncoding.Mismatch {
            throw SQLError(.other, mismatch.description, sql: sql)
        }
    }
}

extension PostgresStatements {
    /// Calls that write rows: one call with an array per column where possible, otherwise one call per row.
    mutating func calls(_ kind: DeferredRows, on link: PostgresHandle) throws -> [PostgresCall] {
        let sql = kind.statement.sql
        let single = try find(sql, isMadeToOrder: false, on: link)
        let arrays = single.types.compactMap(\.arrayName)
        guard let form = kind.statement.many, kind.rows.count > 1, arrays.count == form.columnCount else {
            return try kind.rows.map { try PostgresCall(single, $0, sql) }
        }
        let columns = arrays.map { "?::\($0)" }.joined(separator: ", ")
        let text = form.sql("SELECT * FROM unnest(\(columns))")
        let many = try find(text, isMadeToOrder: false, on: link)
        return [try PostgresCall(many, rows: kind.rows, of: single.types, text)]
    }
}
