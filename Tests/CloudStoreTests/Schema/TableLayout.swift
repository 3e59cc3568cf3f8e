import CloudSQL

/// The layout of one table, in words that are the same for both engines.
struct TableLayout: Hashable {
    var columns: [String] = []
    var primaryKey: [String] = []
    /// The columns of each UNIQUE constraint.
    var unique: Set<[String]> = []
    /// The columns and the condition of each index.
    var indexes: [String: String] = [:]
    var foreignKeys: Set<String> = []
    var checks = 0
    var triggers: Set<String> = []

    /// A column's name, type and constraints.
    static func column(_ name: String, _ type: String, isRequired: Bool, standard: String?) -> String {
        let kind =
            switch type.lowercased() {
            case "integer", "bigint": "integer"
            case "real", "double precision": "real"
            // A column for values of any type has bytes in PostgreSQL.
            case "", "blob", "bytea": "bytes"
            case let other: other
            }
        return "\(name.lowercased()) \(kind)" + (isRequired ? " NOT NULL" : "")
            + (standard.map { " DEFAULT \(plain($0))" } ?? "")
    }

    static func index(isUnique: Bool, _ columns: [String], where condition: String?) -> String {
        (isUnique ? "UNIQUE " : "") + columns.map(plain).joined(separator: ", ")
            + (condition.map { " WHERE \(plain($0))" } ?? "")
    }

    static func foreignKey(_ columns: [String], _ table: String, _ others: [String], _ action: String) -> String {
        "\(columns.map(plain)) \(table.lowercased()) \(others.map(plain)) \(action)"
    }

    /// An expression without casts, parentheses, quotes and the prefixes of long values.
    static func plain(_ expression: String) -> String {
        expression.lowercased().replacing(#/::[a-z ]+/#, with: "").replacing(#/substr\(([a-z_]+), 1, \d+\)/#) { $0.1 }
            .filter { !"()\"".contains($0) }.replacing("'", with: "")
    }
}

/// Reads the layout of a database.
struct LayoutReader {
    let db: SQLConnection

    func sqlite() throws -> [String: TableLayout] {
        let names = try db.all(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ) { ($0.text(0), $0.text(1)) }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0.0.lowercased(), try sqlite($0.0, $0.1)) })
    }

    private func sqlite(_ name: String, _ definition: String) throws -> TableLayout {
        var table = TableLayout()
        var key: [(place: Int64, name: String)] = []
        let table_info = "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?)"
        table.columns = try db.all(table_info, .text(name)) { row in
            if row.integer(4) > 0 { key.append((row.integer(4), row.text(0))) }
            return TableLayout.column(
                row.text(0), row.text(1), isRequired: row.integer(2) == 1 || row.integer(4) > 0,
                standard: row.optionalText(3))
        }
        table.primaryKey = key.sorted { $0.place < $1.place }.map { $0.name.lowercased() }
        let indexes = try db.all(
            """
            SELECT l.name, l."unique", l.origin, s.sql FROM pragma_index_list(?) l
            LEFT JOIN sqlite_schema s ON s.name = l.name
            """, .text(name)
        ) { (name: $0.text(0), isUnique: $0.integer(1) == 1, origin: $0.text(2), sql: $0.optionalText(3)) }
        for index in indexes where index.origin != "pk" {
            let columns = try db.all(
                "SELECT name FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno", .text(index.name)
            ) { $0.text(0).lowercased() }
            if index.origin == "u" {
                table.unique.insert(columns)
            } else {
                let parts = index.sql?.replacing("\n", with: " ").split(separator: " WHERE ", maxSplits: 1) ?? []
                let condition = parts.count > 1 ? parts[1].split(separator: " ").joined(separator: " ") : nil
                table.indexes[index.name.lowercased()] =
                    TableLayout.index(isUnique: index.isUnique, columns, where: condition)
            }
        }
        table.foreignKeys = try foreignKeysOfSQLite(name)
        table.checks = definition.matches(of: #/\bCHECK\b/#).count
        table.triggers = Set(
            try db.all("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", .text(name)) {
                $0.text(0).lowercased()
            })
        return table
    }

    private func foreignKeysOfSQLite(_ name: String) throws -> Set<String> {
        let rows = try db.all(
            "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq",
            .text(name)
        ) { ($0.integer(0), $0.text(1), $0.text(2), $0.optionalText(3), $0.text(4)) }
        return Set(
            try Dictionary(grouping: rows, by: \.0).values.map { rows in
                let target = rows[0].1
                let key = try db.all("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", .text(target)) {
                    $0.text(0)
                }
                return TableLayout.foreignKey(
                    rows.map(\.2), target, rows.enumerated().map { $1.3 ?? key[$0] }, rows[0].4)
            })
    }

    func postgres() throws -> [String: TableLayout] {
        let names = try db.all(
            "SELECT CAST(oid AS BIGINT), relname FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()) "
                + "AND relkind = 'r'"
        ) { ($0.integer(0), $0.text(1)) }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0.1, try postgres($0.0)) })
    }

    private func postgres(_ id: Int64) throws -> TableLayout {
        var table = TableLayout()
        table.columns = try db.all(
            """
            SELECT attname, format_type(atttypid, -1), attnotnull, pg_get_expr(adbin, adrelid)
            FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
            WHERE attrelid = CAST(CAST(? AS BIGINT) AS oid) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """, .integer(id)
        ) {
            TableLayout.column($0.text(0), $0.text(1), isRequired: $0.bool(2), standard: $0.optionalText(3))
        }
        func names(_ keys: String, of relation: String) -> String {
            """
            (SELECT string_agg(attname, ',' ORDER BY k.n) FROM unnest(\(keys)) WITH ORDINALITY AS k (number, n)
                JOIN pg_attribute ON attrelid = \(relation) AND attnum = k.number)
            """
        }
        let constraints = try db.all(
            """
            SELECT CAST(contype AS TEXT), \(names("conkey", of: "conrelid")), CAST(confrelid::regclass AS TEXT),
                \(names("confkey", of: "confrelid")), CAST(confdeltype AS TEXT)
            FROM pg_constraint WHERE conrelid = CAST(CAST(? AS BIGINT) AS oid)
            """, .integer(id)
        ) {
            ($0.text(0), $0.text(1).split(separator: ",").map(String.init), $0.text(2), $0.optionalText(3), $0.text(4))
        }
        for (kind, columns, other, keys, action) in constraints {
            switch kind {
            case "p": table.primaryKey = columns
            case "u": table.unique.insert(columns)
            case "c": table.checks += 1
            case "f":
                let keys = (keys ?? "").split(separator: ",").map(String.init)
                table.foreignKeys.insert(
                    TableLayout.foreignKey(columns, other, keys, action == "c" ? "CASCADE" : "NO ACTION"))
            default: break
            }
        }
        let indexes = try db.all(
            """
            SELECT c.relname, i.indisunique, pg_get_expr(i.indpred, i.indrelid), (
                SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true), ';' ORDER BY k)
                FROM generate_series(1, i.indnkeyatts) k)
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = CAST(CAST(? AS BIGINT) AS oid)
                AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = c.oid)
            """, .integer(id)
        ) { ($0.text(0), $0.bool(1), $0.optionalText(2), $0.text(3).split(separator: ";").map(String.init)) }
        for (name, isUnique, condition, columns) in indexes {
            table.indexes[name] = TableLayout.index(isUnique: isUnique, columns, where: condition)
        }
        table.triggers = Set(
            try db.all(
                "SELECT tgname FROM pg_trigger WHERE tgrelid = CAST(CAST(? AS BIGINT) AS oid) AND NOT tgisinternal",
                .integer(id)
            ) { $0.text(0) })
        return table
    }
}
