import CloudModel
import GRDB

/// The schema as stored: record types and fields, and one table of queryable values for each type.
///
/// `records` holds what is returned, `values_<type>` what is asked for: a row for each record with a column
/// for each queryable field and system field, and an index for each of them that may be queried.
enum SchemaTables {
    /// System fields by their column in the values tables.
    static let systemColumns: [(field: SystemField, column: String)] = [
        (.recordName, "name"), (.createdTimestamp, "created"), (.createdUserRecordName, "created_by"),
        (.modifiedTimestamp, "modified"), (.modifiedUserRecordName, "modified_by"), (.parent, "parent"),
        (.share, "share"),
    ]

    static func table(_ type: RecordType) -> String { "values_\(type.id)" }

    static func column(_ subject: ResolvedQuery.Subject) -> String {
        switch subject {
        case .field: subject.column
        case .system(let field): systemColumns.first { $0.field == field }?.column ?? "name"
        }
    }

    static func index(_ type: RecordType, column: String) -> String { "\(table(type))_\(column)" }

    /// Whether the column's index leaves out records without a value, and so cannot give an order.
    static func isSparse(_ column: String) -> Bool { column == "parent" || column == "share" }

    // MARK: Reading

    static func load(_ db: Database) throws -> Catalog {
        let version = try db.first("SELECT catalog_version FROM store") { $0.integer(0) } ?? 0
        var types: [Int64: RecordType] = [:]
        try db.each("SELECT id, name, grants, system_indexes FROM record_types", []) { row in
            types[row.integer(0)] = RecordType(
                id: row.integer(0), name: row.text(1), implicit: SchemaColumns.implicit(row.text(3)),
                grants: SchemaColumns.grants(row.text(2)))
            return true
        }
        try db.each("SELECT id, record_type, name, kind, is_list, is_encrypted, indexes, is_settled_number FROM fields", []) { row in
            guard let kind = FieldKind(rawValue: row.text(3)) else { return true }
            let type = FieldType(kind, isList: row.integer(4) != 0, isEncrypted: row.integer(5) != 0)
            types[row.integer(1)]?.fields[row.text(2)] = FieldDefinition(
                id: row.integer(0), name: row.text(2), type: type, indexes: SchemaColumns.marks(row.text(6)),
                isSettledNumber: row.integer(7) != 0)
            return true
        }
        var roles: [Int64: String] = [:]
        try db.each("SELECT id, name FROM roles", []) { row in
            roles[row.integer(0)] = row.text(1)
            return true
        }
        return Catalog(version: version, types: Array(types.values), roles: roles)
    }

    // MARK: Growing

    /// Makes a record type, its values table and the indexes of its system fields.
    static func createType(
        _ name: String, grants: Grants, in catalog: Catalog, _ db: Database
    ) throws -> Catalog {
        try db.run(
            "INSERT INTO record_types (name, grants) VALUES (?, ?)", .text(name), .text(SchemaColumns.text(grants)))
        let type = RecordType(id: db.lastInsertedRowID, name: name, grants: grants)
        try db.execute(
            sql: """
                CREATE TABLE \(table(type)) (
                    zone INTEGER NOT NULL,
                    id INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    created_by TEXT NOT NULL,
                    modified INTEGER NOT NULL,
                    modified_by TEXT NOT NULL,
                    parent TEXT,
                    share TEXT,
                    PRIMARY KEY (zone, id)
                ) WITHOUT ROWID
                """)
        for (_, column) in systemColumns { try createIndex(type, column: column, db) }
        return try advanced(catalog, with: type, db)
    }

    /// Adds a field to a type, with a column and an index when it can be queried.
    static func createField(
        _ name: String, _ fieldType: FieldType, of type: RecordType, in catalog: Catalog, indexing: IndexPolicy,
        _ db: Database
    ) throws -> Catalog {
        let marks = IndexMark.justInTime(for: fieldType)
        try db.run(
            "INSERT INTO fields (record_type, name, kind, is_list, is_encrypted, indexes) VALUES (?, ?, ?, ?, ?, ?)",
            .integer(type.id), .text(name), .text(fieldType.kind.rawValue), .integer(fieldType.isList ? 1 : 0),
            .integer(fieldType.isEncrypted ? 1 : 0), .text(SchemaColumns.text(marks)))
        let field = FieldDefinition(id: db.lastInsertedRowID, name: name, type: fieldType, indexes: marks)
        var grown = type
        grown.fields[name] = field
        if hasColumn(fieldType) {
            let column = column(.field(field))
            try db.execute(sql: "ALTER TABLE \(table(type)) ADD COLUMN \(column)")
            let isWanted = indexing == .everything || !marks.isDisjoint(with: [.queryable, .sortable])
            if isWanted && !fieldType.isList { try createIndex(type, column: column, db) }
        }
        return try advanced(catalog, with: grown, db)
    }

    /// Whether values of this type have a column. That of a list says how long it is; its elements have a table.
    static func hasColumn(_ type: FieldType) -> Bool { type.isQueryable }

    private static func createIndex(_ type: RecordType, column: String, _ db: Database) throws {
        // Most records have neither; a filter on these columns never means those without.
        let condition = isSparse(column) ? " WHERE \(column) IS NOT NULL" : ""
        try db.execute(
            sql: "CREATE INDEX \(index(type, column: column)) ON \(table(type)) (zone, \(column), id)\(condition)")
    }

    private static func advanced(_ catalog: Catalog, with type: RecordType, _ db: Database) throws -> Catalog {
        let next = catalog.adding(type)
        try db.run("UPDATE store SET catalog_version = ?", .integer(next.version))
        return next
    }
}

/// Which fields get an index. System fields always do: queries by them are answered everywhere.
enum IndexPolicy: Sendable {
    /// Every field a query could use: development (reference A §11.1).
    case everything
    /// What the schema marks: production.
    case marked
}
