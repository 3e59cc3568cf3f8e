import CloudModel
import GRDB

/// The schema as stored: record types and fields, and one table of queryable values for each type.
///
/// `records` holds what is returned, `values_<type>` what is asked for: a row for each record with a column
/// for each queryable field and system field, and an index for each of them that may be queried. A large type's
/// indexes are built in a table of the next generation, which then takes its place.
enum SchemaTables {
    /// System fields by their column in the values tables.
    static let systemColumns: [(field: SystemField, column: String)] = [
        (.recordName, "name"), (.createdTimestamp, "created"), (.createdUserRecordName, "created_by"),
        (.modifiedTimestamp, "modified"), (.modifiedUserRecordName, "modified_by"), (.parent, "parent"),
        (.share, "share"),
    ]

    static func table(_ type: RecordType) -> String { table(type, generation: type.generation) }

    static func table(_ type: RecordType, generation: Int64) -> String {
        generation == 0 ? "values_\(type.id)" : "values_\(type.id)_\(generation)"
    }

    /// Where a record's values are written: the table that is asked, then the one being filled, if there is one.
    static func tables(_ type: RecordType) -> [String] {
        [table(type)] + (type.building.map { [table(type, generation: $0)] } ?? [])
    }

    static func column(_ subject: ResolvedQuery.Subject) -> String {
        switch subject {
        case .field: subject.column
        case .system(let field): systemColumns.first { $0.field == field }?.column ?? "name"
        }
    }

    static func index(_ type: RecordType, column: String) -> String { "\(table(type))_\(column)" }

    /// Whether the column's index leaves out records without a value, and so cannot give an order.
    static func isSparse(_ column: String) -> Bool { column == "parent" || column == "share" }

    // MARK: Growing

    /// Makes a record type with fields made just in time.
    static func createType(
        _ name: String, grants: Grants, fields: [(name: String, type: FieldType)], in catalog: Catalog,
        indexing: IndexPolicy, _ db: Database
    ) throws -> Catalog {
        let fields = fields.map { ($0.name, FieldDeclaration($0.type, indexes: IndexMark.justInTime(for: $0.type))) }
        return try advanced(
            catalog, with: createType(name, grants: grants, fields: fields, indexing: indexing, db), db)
    }

    /// Makes a record type with all its fields, and its values table, whose columns come with it: adding one to a table
    /// reads the whole schema of the file.
    static func createType(
        _ name: String, grants: Grants, implicit: [ImplicitField: Set<IndexMark>] = [:],
        fields: [(name: String, declaration: FieldDeclaration)], indexing: IndexPolicy, _ db: Database
    ) throws -> RecordType {
        try db.run(
            "INSERT INTO record_types (name, grants, system_indexes) VALUES (?, ?, ?)", .text(name),
            .text(SchemaColumns.text(grants)), .text(SchemaColumns.text(implicit)))
        var type = RecordType(id: db.lastInsertedRowID, name: name, implicit: implicit, grants: grants)
        for (name, field) in fields { type.fields[name] = try insertField(name, field, of: type, db) }
        try createTable(type, generation: type.generation, indexing: indexing, db)
        return type
    }

    /// Adds a field to a type, with a column and an index when it can be queried.
    static func createField(
        _ name: String, _ fieldType: FieldType, of type: RecordType, in catalog: Catalog, indexing: IndexPolicy,
        budget: IndexBudget, _ db: Database
    ) throws -> Catalog {
        let declaration = FieldDeclaration(fieldType, indexes: IndexMark.justInTime(for: fieldType))
        let field = try insertField(name, declaration, of: type, db)
        var grown = type
        grown.fields[name] = field
        if let unbuilt = try addColumn(field, to: type, indexing: indexing, budget: budget, db) {
            grown.unbuilt[column(.field(field))] = unbuilt
        }
        return try advanced(catalog, with: grown, db)
    }

    static func insertField(
        _ name: String, _ field: FieldDeclaration, of type: RecordType, _ db: Database
    ) throws -> FieldDefinition {
        try db.run(
            """
            INSERT INTO fields (record_type, name, kind, is_list, is_encrypted, indexes, is_settled_number)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(type.id), .text(name), .text(field.type.kind.rawValue), .integer(field.type.isList ? 1 : 0),
            .integer(field.type.isEncrypted ? 1 : 0), .text(SchemaColumns.text(field.indexes)),
            .integer(field.isSettledNumber ? 1 : 0))
        return FieldDefinition(
            id: db.lastInsertedRowID, name: name, type: field.type, indexes: field.indexes,
            isSettledNumber: field.isSettledNumber)
    }

    /// Gives a new field its column, which is empty and so costs nothing however many records there are.
    ///
    /// - Returns: what queries have to wait for, when its index was left to a build; nil for nothing.
    static func addColumn(
        _ field: FieldDefinition, to type: RecordType, indexing: IndexPolicy, budget: IndexBudget, _ db: Database
    ) throws -> Set<IndexMark>? {
        guard hasColumn(field.type) else { return nil }
        let column = column(.field(field))
        for table in tables(type) { try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)") }
        guard wantsIndex(field.type, field.indexes, indexing) else { return nil }
        return try addIndex(type, column: column, budget: budget, db)
    }

    /// Makes the index of a column, or leaves it to a build: making one reads all records.
    ///
    /// - Returns: what queries have to wait for; nil for nothing.
    static func addIndex(
        _ type: RecordType, column: String, budget: IndexBudget, _ db: Database
    ) throws -> Set<IndexMark>? {
        if try budget.takes(type, db) {
            try createIndex(type, generation: type.generation, column: column, db)
            return nil
        }
        // Whichever marks ask for it, or none where all fields have one: queries are led by it.
        let unbuilt: Set<IndexMark> = [.queryable, .sortable]
        try IndexBuilds.queue(type: type.id, unbuilt: [column: unbuilt], db)
        return unbuilt
    }

    /// Makes an empty values table with every column and index of a type as it is now.
    static func createTable(_ type: RecordType, generation: Int64, indexing: IndexPolicy, _ db: Database) throws {
        let fields = type.fields.values.filter { hasColumn($0.type) }.sorted { $0.id < $1.id }
        let columns = fields.map { "\(column(.field($0))),\n" }.joined()
        try db.execute(
            sql: """
                CREATE TABLE \(table(type, generation: generation)) (
                    zone INTEGER NOT NULL,
                    id INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    created INTEGER NOT NULL,
                    created_by TEXT NOT NULL,
                    modified INTEGER NOT NULL,
                    modified_by TEXT NOT NULL,
                    parent TEXT,
                    share TEXT,
                    \(columns)PRIMARY KEY (zone, id)
                ) WITHOUT ROWID
                """)
        let wanted = fields.filter { wantsIndex($0.type, $0.indexes, indexing) }.map { column(.field($0)) }
        for column in systemColumns.map(\.column) + wanted {
            try createIndex(type, generation: generation, column: column, db)
        }
    }

    /// Whether values of this type have a column. That of a list says how long it is; its elements have a table.
    static func hasColumn(_ type: FieldType) -> Bool { type.isQueryable }

    /// Whether a field's column has an index. Elements of lists are found by their own table.
    static func wantsIndex(_ type: FieldType, _ marks: Set<IndexMark>, _ indexing: IndexPolicy) -> Bool {
        guard hasColumn(type), !type.isList else { return false }
        return indexing == .everything || !marks.isDisjoint(with: [.queryable, .sortable])
    }

    static func createIndex(_ type: RecordType, generation: Int64, column: String, _ db: Database) throws {
        let table = table(type, generation: generation)
        // Most records have neither; a filter on these columns never means those without.
        let condition = isSparse(column) ? " WHERE \(column) IS NOT NULL" : ""
        try db.execute(sql: "CREATE INDEX \(table)_\(column) ON \(table) (zone, \(column), id)\(condition)")
    }

    static func dropIndex(_ type: RecordType, column: String, _ db: Database) throws {
        for table in tables(type) { try db.execute(sql: "DROP INDEX IF EXISTS \(table)_\(column)") }
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
