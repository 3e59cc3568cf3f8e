import CloudSQL

/// A prepared statement with its parameters, to be sent together with others.
struct PostgresCall {
    let name: String
    /// In binary; nil for NULL.
    let values: [[UInt8]?]
    /// As the store writes it.
    let sql: String

    init(_ statement: PostgresStatement, _ values: [SQLValue], _ sql: String) throws {
        guard statement.types.count == values.count else {
            throw SQLError(.other, "\(statement.types.count) values are wanted, not \(values.count)", sql: sql)
        }
        self.init(
            statement, try Self.encoding(sql) { try zip(values, statement.types).map(ParameterEncoding.bytes) }, sql)
    }

    /// - Parameter rows: of one length; each column is one parameter.
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
    /// The statements that write rows: many at once where the statement takes them, as an array for each column, the
    /// others one by one.
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
