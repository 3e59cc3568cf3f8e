package import CloudModel
import CloudSQL

/// The stored schema: record types, fields, and one table of queryable values per type.
///
/// `records` holds response bodies. `values_<type>` serves queries: one row per record, one column per queryable field
/// and system field, and an index per marked or requested column. Indexes of a large type are built in a table of the
/// next generation, which then replaces the current table.
package enum SchemaTables {
    /// System fields by their column in the values tables.
    static let systemColumns: [(field: SystemField, column: String)] = [
        (.recordName, "name"), (.createdTimestamp, "created"), (.createdUserRecordName, "created_by"),
        (.modifiedTimestamp, "modified"), (.modifiedUserRecordName, "modified_by"), (.parent, "parent"),
        (.share, "share"),
    ]

    /// The record name column. It has no index here; `records_name` covers it.
    static let nameColumn = "name"

    package static func table(_ type: RecordType) -> String { table(type, generation: type.generation) }

    static func table(_ type: RecordType, generation: Int64) -> String {
        generation == 0 ? "values_\(type.id)" : "values_\(type.id)_\(generation)"
    }

    /// The tables of a type's values: the current table, then the table being built, if any.
    static func tables(_ type: RecordType) -> [String] {
        [table(type)] + (type.building.map { [table(type, generation: $0)] } ?? [])
    }

    static func column(_ subject: ResolvedQuery.Subject) -> String {
        switch subject {
        case .field: subject.column
        case .system(let field): systemColumns.first { $0.field == field }?.column ?? nameColumn
        }
    }

    static func index(_ type: RecordType, column: String) -> String {
        index(type, generation: type.generation, column: column)
    }

    static func index(_ type: RecordType, generation: Int64, column: String) -> String {
        "\(table(type, generation: generation))_\(column)"
    }

    /// Returns true if the type has the column and the column may be indexed.
    static func isIndexable(_ column: String, of type: RecordType) -> Bool {
        if systemColumns.contains(where: { $0.column == column }) { return column != nameColumn }
        return type.fields.values.contains {
            hasColumn($0.type) && !$0.type.isList && self.column(.field($0)) == column
        }
    }

    /// Returns true if the column's index skips records without a value, and so cannot serve sorting.
    static func isSparse(_ column: String) -> Bool { column == "parent" || column == "share" }

    // MARK: Growing

    /// Creates a just-in-time record type; its indexes are built on demand.
    static func createType(
        _ name: String, grants: Grants, fields: [(name: String, type: FieldType)],
        marks: (FieldType) -> Set<IndexKind> = IndexKind.justInTime, in catalog: Catalog, _ db: SQLConnection
    ) throws -> Catalog {
        let fields = fields.map { ($0.name, FieldDeclaration($0.type, indexes: marks($0.type))) }
        return try advanced(
            catalog, with: createType(name, grants: grants, fields: fields, isAskedFor: false, db), db)
    }

    /// Creates a record type with all fields and its values table. Creating all columns together is cheaper: adding a
    /// column re-reads the file's whole schema.
    ///
    /// - Parameter isAskedFor: whether to create the indexes for its marks now.
    static func createType(
        _ name: String, grants: Grants, implicit: [ImplicitField: Set<IndexKind>] = [:],
        fields: [(name: String, declaration: FieldDeclaration)], isAskedFor: Bool, _ db: SQLConnection
    ) throws -> RecordType {
        let id = try db.insert(
            "INSERT INTO record_types (name, grants, system_indexes) VALUES (?, ?, ?) RETURNING id", .text(name),
            .text(SchemaColumns.text(grants)), .text(SchemaColumns.text(implicit)))
        var type = RecordType(id: id, name: name, implicit: implicit, grants: grants)
        for (name, field) in fields { type.fields[name] = try insertField(name, field, of: type, db) }
        if isAskedFor {
            for column in type.markedColumns { type.indexes[column] = type.generation }
            for field in type.searchable { type.fields[field.name]?.words = type.generation }
        }
        for (column, generation) in type.indexes {
            try StoredIndexes.add(.values(column: column), type: id, generation: generation, db)
        }
        for field in type.worded {
            try StoredIndexes.add(.words(field: field.id), type: id, generation: type.generation, db)
        }
        try createTable(type, generation: type.generation, db)
        return type
    }

    /// Adds a just-in-time field to a type, with a column if the field is queryable.
    static func createField(
        _ name: String, _ fieldType: FieldType, of type: RecordType, in catalog: Catalog, _ db: SQLConnection
    ) throws -> Catalog {
        let declaration = FieldDeclaration(fieldType, indexes: IndexKind.justInTime(for: fieldType))
        let field = try insertField(name, declaration, of: type, db)
        var grown = type
        grown.fields[name] = field
        try addColumn(field, to: type, db)
        return try advanced(catalog, with: grown, db)
    }

    static func insertField(
        _ name: String, _ field: FieldDeclaration, of type: RecordType, _ db: SQLConnection
    ) throws -> FieldDefinition {
        let id = try db.insert(
            """
            INSERT INTO fields (record_type, name, kind, is_list, is_encrypted, indexes, is_settled_number)
            VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            .integer(type.id), .text(name), .text(field.type.kind.rawValue), .integer(field.type.isList ? 1 : 0),
            .integer(field.type.isEncrypted ? 1 : 0), .text(SchemaColumns.text(field.indexes)),
            .integer(field.isPreferredNumber ? 1 : 0))
        return FieldDefinition(
            id: id, name: name, type: field.type, indexes: field.indexes,
            isPreferredNumber: field.isPreferredNumber)
    }

    /// Adds the column of a new field. An empty column costs nothing, however many records exist.
    static func addColumn(_ field: FieldDefinition, to type: RecordType, _ db: SQLConnection) throws {
        guard hasColumn(field.type) else { return }
        let column = column(.field(field)) + db.dialect.spelling.type(of: columnKind(field.type))
        for table in tables(type) { try db.script("ALTER TABLE \(table) ADD COLUMN \(column)") }
    }

    /// Creates an empty values table with all current columns of a type, and the indexes of this generation.
    static func createTable(_ type: RecordType, generation: Int64, _ db: SQLConnection) throws {
        let fields = type.fields.values.filter { hasColumn($0.type) }.sorted { $0.id < $1.id }
        let columns = fields.map { "\(column(.field($0)))\(db.dialect.spelling.type(of: columnKind($0.type))),\n" }
            .joined()
        let table = table(type, generation: generation)
        try db.script(
            Layout(
                sqlite: """
                    CREATE TABLE \(table) (
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
                    """,
                postgres: """
                    CREATE TABLE \(table) (
                        zone BIGINT NOT NULL,
                        id BIGINT NOT NULL,
                        name TEXT COLLATE "C" NOT NULL,
                        created BIGINT NOT NULL,
                        created_by TEXT COLLATE "C" NOT NULL,
                        modified BIGINT NOT NULL,
                        modified_by TEXT COLLATE "C" NOT NULL,
                        parent TEXT COLLATE "C",
                        share TEXT COLLATE "C",
                        \(columns)PRIMARY KEY (zone, id)
                    )
                    """))
        for (column, first) in type.indexes.sorted(by: { $0.key < $1.key }) where first <= generation {
            try createIndex(type, generation: generation, column: column, db)
        }
    }

    /// Returns true if values of this type have a column. A list's column stores its length; a separate table stores
    /// its elements.
    static func hasColumn(_ type: FieldType) -> Bool { type.isQueryable }

    /// The comparison kind of a field's column. Lists compare by length.
    static func columnKind(_ type: FieldType) -> SQLColumnKind {
        if type.isList { return .integer }
        switch type.kind {
        case .int64, .timestamp: return .integer
        case .double: return .real
        case .number: return .number
        case .string, .reference, .bytes, .location, .asset: return .text
        }
    }

    /// The indexed prefix of long values in a column; nil if whole values are indexed.
    static func indexPrefix(_ subject: ResolvedQuery.Subject, _ spelling: any SQLSpelling) -> IndexPrefix? {
        guard case .field(let field) = subject, columnKind(field.type) == .text else { return nil }
        return spelling.indexPrefix
    }

    private static func columnKind(_ column: String, _ type: RecordType) -> SQLColumnKind {
        if let system = systemColumns.first(where: { $0.column == column }) {
            return system.field == .createdTimestamp || system.field == .modifiedTimestamp ? .integer : .name
        }
        return type.fields.values.first { self.column(.field($0)) == column }.map { columnKind($0.type) } ?? .integer
    }

    static func createIndex(_ type: RecordType, generation: Int64, column: String, _ db: SQLConnection) throws {
        let table = table(type, generation: generation)
        let index = index(type, generation: generation, column: column)
        // Most records have no parent or share, and filters on these columns never select records without a value.
        try db.script(
            db.dialect.spelling.index(
                index, on: table, column: column, columnKind(column, type), isSparse: isSparse(column)))
    }

    static func dropIndex(_ type: RecordType, column: String, _ db: SQLConnection) throws {
        for generation in [type.generation] + (type.building.map { [$0] } ?? []) {
            try db.script("DROP INDEX IF EXISTS \(index(type, generation: generation, column: column))")
        }
    }

    private static func advanced(_ catalog: Catalog, with type: RecordType, _ db: SQLConnection) throws -> Catalog {
        let next = catalog.adding(type)
        try db.run("UPDATE store SET catalog_version = ?", .integer(next.version))
        return next
    }
}
