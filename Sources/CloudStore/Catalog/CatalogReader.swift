package import CloudModel
package import CloudSQL

/// Reads the schema from a records database.
package enum CatalogReader {
    /// The schema of a read's snapshot.
    ///
    /// A snapshot may be newer than the published schema, with other tables.
    ///
    /// - Parameter known: the published schema.
    static func current(_ known: Catalog, _ db: SQLConnection) throws -> Catalog {
        try version(db) == known.version ? known : load(db)
    }

    package static func load(_ db: SQLConnection) throws -> Catalog { try load(db, hasIndexes: true) }

    /// Loads the schema of a database without the `indexes` table, before migration 14.
    static func loadOld(_ db: SQLConnection) throws -> Catalog { try load(db, hasIndexes: false) }

    private static func load(_ db: SQLConnection, hasIndexes: Bool) throws -> Catalog {
        var types = try types(db)
        var words: [Int64: Int64] = [:]
        for index in hasIndexes ? try StoredIndexes.all(db) : [] {
            switch index.kind {
            case .values(let column): types[index.type]?.type.indexes[column] = index.generation
            case .words(let field): words[field] = index.generation
            }
        }
        try readFields(into: &types, words: words, db)
        try readBuilds(into: &types, db)
        var roles: [Int64: String] = [:]
        try db.each("SELECT id, name FROM roles", []) { row in
            roles[row.integer(0)] = row.text(1)
            return true
        }
        return Catalog(
            version: try version(db), types: types.values.filter { !$0.isRemoved }.map(\.type), roles: roles,
            removed: types.values.filter(\.isRemoved).map(\.type))
    }

    private static func version(_ db: SQLConnection) throws -> Int64 {
        try db.firstInSnapshot("SELECT catalog_version FROM store") { $0.integer(0) } ?? 0
    }

    private typealias Types = [Int64: (type: RecordType, isRemoved: Bool)]

    private static func types(_ db: SQLConnection) throws -> Types {
        var types: Types = [:]
        try db.each("SELECT id, name, grants, system_indexes, generation, is_removed FROM record_types", []) { row in
            let type = RecordType(
                id: row.integer(0), name: row.text(1), implicit: SchemaColumns.implicit(row.text(3)),
                grants: SchemaColumns.grants(row.text(2)), generation: row.integer(4))
            types[type.id] = (type, row.integer(5) != 0)
            return true
        }
        return types
    }

    private static func readFields(into types: inout Types, words: [Int64: Int64], _ db: SQLConnection) throws {
        try db.each(
            "SELECT id, record_type, name, kind, is_list, is_encrypted, indexes, is_settled_number FROM fields", []
        ) { row in
            guard let kind = FieldKind(rawValue: row.text(3)) else { return true }
            let type = FieldType(kind, isList: row.integer(4) != 0, isEncrypted: row.integer(5) != 0)
            types[row.integer(1)]?.type.fields[row.text(2)] = FieldDefinition(
                id: row.integer(0), name: row.text(2), type: type, indexes: SchemaColumns.marks(row.text(6)),
                isPreferredNumber: row.integer(7) != 0, words: words[row.integer(0)])
            return true
        }
    }

    private static func readBuilds(into types: inout Types, _ db: SQLConnection) throws {
        for build in try IndexBuilds.all(db) {
            if build.isStarted { types[build.type]?.type.building = build.generation }
            types[build.type]?.type.unbuilt.merge(build.unbuilt) { $0.union($1) }
        }
        try db.each("SELECT record_type, name, position FROM dropped_fields", []) { row in
            types[row.integer(0)]?.type.dropped[row.text(1)] = row.integer(2)
            return true
        }
    }
}
