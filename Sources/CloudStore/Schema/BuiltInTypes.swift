package import CloudModel
import CloudSQL

/// Types that every container has from the start (reference A §11.3, B §9.1).
package enum BuiltInTypes {
    static func ensure(_ db: SQLConnection) throws {
        // As in the published schema: fields that only operators set have no query indexes.
        try ensure(RecordType.users, grants: .users, fields: RecordType.usersFields, marks: { _ in [] }, db)
        try ensure(RecordType.share, grants: .standard, fields: ShareName.fields, db)
    }

    /// Completes a schema with the built-in types and fields that it omits. Grants to removed roles are dropped.
    ///
    /// - Parameter current: the current schema, which supplies the omitted definitions.
    package static func completing(_ target: SchemaDefinition, from current: SchemaDefinition) -> SchemaDefinition {
        var target = target
        for (type, fields) in [(RecordType.users, RecordType.usersFields), (RecordType.share, ShareName.fields)] {
            for field in fields where target.types[type]?.fields[field.name] == nil {
                target.types[type]?.fields[field.name] = current.types[type]?.fields[field.name]
            }
            guard target.types[type] == nil, var kept = current.types[type] else { continue }
            for role in kept.grants.permissions.keys where !Grants.isBuiltIn(role) && !target.roles.contains(role) {
                kept.grants.permissions[role] = nil
                target.types[type] = kept
            }
        }
        return target
    }

    /// Returns true if the server reads the field.
    static func isBuiltIn(field name: String, of type: String) -> Bool {
        type == RecordType.users && RecordType.usersFields.contains { $0.name == name }
            || type == RecordType.share && ShareName.fields.contains { $0.name == name }
    }

    private static func ensure(
        _ name: String, grants: Grants, fields: [(name: String, type: FieldType)],
        marks: (FieldType) -> Set<IndexKind> = IndexKind.justInTime, _ db: SQLConnection
    ) throws {
        let catalog = try CatalogReader.load(db)
        guard catalog.types[name] == nil else { return }
        _ = try SchemaTables.createType(name, grants: grants, fields: fields, marks: marks, in: catalog, db)
    }
}
