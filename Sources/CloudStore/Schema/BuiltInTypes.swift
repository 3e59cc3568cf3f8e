import CloudModel
import GRDB

/// The types every container has from the start (reference A §11.3, B §9.1).
enum BuiltInTypes {
    private static let usersFields = [(name: "roles", type: FieldType(.int64, isList: true))]

    static func ensure(_ db: Database, indexing: IndexPolicy) throws {
        try ensure(RecordType.users, grants: .users, fields: usersFields, db, indexing)
        try ensure(RecordType.share, grants: .standard, fields: ShareName.fields, db, indexing)
    }

    /// A schema with the fields that the built-in types have anyway, where it leaves them out.
    ///
    /// - Parameter current: how they are indexed now, which leaving them out does not change.
    static func completing(_ target: SchemaDefinition, from current: SchemaDefinition) -> SchemaDefinition {
        var target = target
        for (type, fields) in [(RecordType.users, usersFields), (RecordType.share, ShareName.fields)] {
            for field in fields where target.types[type]?.fields[field.name] == nil {
                target.types[type]?.fields[field.name] = current.types[type]?.fields[field.name]
            }
        }
        return target
    }

    /// Whether a field is one the server itself reads.
    static func isBuiltIn(field name: String, of type: String) -> Bool {
        type == RecordType.users && usersFields.contains { $0.name == name }
            || type == RecordType.share && ShareName.fields.contains { $0.name == name }
    }

    private static func ensure(
        _ name: String, grants: Grants, fields: [(name: String, type: FieldType)], _ db: Database,
        _ indexing: IndexPolicy
    ) throws {
        var catalog = try CatalogReader.load(db)
        guard catalog.types[name] == nil else { return }
        catalog = try SchemaTables.createType(name, grants: grants, in: catalog, db)
        for field in fields {
            guard let type = catalog.types[name] else { return }
            catalog = try SchemaTables.createField(
                field.name, field.type, of: type, in: catalog, indexing: indexing, most: .max, db)
        }
    }
}
