package import CloudModel
import CloudSQL

/// The types every container has from the start (reference A §11.3, B §9.1).
package enum BuiltInTypes {
    static func ensure(_ db: SQLConnection) throws {
        // As published: what operators alone set is asked for by nobody.
        try ensure(RecordType.users, grants: .users, fields: RecordType.usersFields, marks: { _ in [] }, db)
        try ensure(RecordType.share, grants: .standard, fields: ShareName.fields, db)
    }

    /// A schema with what it leaves out of the built-in types and they have anyway: their fields, or all of one. A role
    /// that goes takes along what it was granted there.
    ///
    /// - Parameter current: how they are now, which leaving them out does not change.
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

    /// Returns true if the server itself reads the field.
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
