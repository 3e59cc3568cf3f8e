import CloudSQL

/// A prepared statement.
struct PostgresStatement {
    let name: String
    let types: [PostgresType]
}

/// The prepared statements of a connection, by the store's SQL text.
struct PostgresStatements {
    private static let mostToOrder = 256
    /// A limit below the protocol's 65,535: with more parameters libpq loses the connection over the description.
    static let mostParameters = 7_000

    private var known: [String: PostgresStatement] = [:]
    private var toOrder: [String: PostgresStatement] = [:]
    private var count = 0
    private(set) var preparedToOrder = 0

    mutating func find(_ sql: String, isMadeToOrder: Bool, on link: PostgresHandle) throws -> PostgresStatement {
        if let statement = isMadeToOrder ? toOrder[sql] : known[sql] { return statement }
        let statement = try prepare(sql, on: link)
        guard isMadeToOrder else {
            known[sql] = statement
            return statement
        }
        preparedToOrder += 1
        if toOrder.count == Self.mostToOrder {
            let old = toOrder.values.map { "DEALLOCATE \($0.name)" }.joined(separator: "; ")
            toOrder.removeAll()
            try link.script(old)
        }
        toOrder[sql] = statement
        return statement
    }

    /// Forgets a statement that the server rejects as outdated.
    mutating func forget(_ sql: String) {
        known[sql] = nil
        toOrder[sql] = nil
    }

    private mutating func prepare(_ sql: String, on link: PostgresHandle) throws -> PostgresStatement {
        count += 1
        let name = "s\(count)"
        let description = try link.prepare(Parameters.numbered(sql), as: name)
        try description.requireReadable(sql)
        let types = description.parameterTypes
        guard types.count <= Self.mostParameters else {
            throw SQLError(.other, "a statement has \(types.count) parameters", sql: sql)
        }
        return PostgresStatement(name: name, types: types)
    }
}
