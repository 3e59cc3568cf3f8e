import CloudModel
import GRDB

/// The types every container has from the start (reference A §11.3, B §9.1).
enum BuiltInTypes {
    static func ensure(_ db: Database, indexing: IndexPolicy) throws {
        try ensure(
            RecordType.users, grants: .users, fields: [("roles", FieldType(.int64, isList: true))], db, indexing)
        try ensure(RecordType.share, grants: .standard, fields: ShareName.fields, db, indexing)
    }

    private static func ensure(
        _ name: String, grants: Grants, fields: [(name: String, type: FieldType)], _ db: Database,
        _ indexing: IndexPolicy
    ) throws {
        var catalog = try SchemaTables.load(db)
        guard catalog.types[name] == nil else { return }
        catalog = try SchemaTables.createType(name, grants: grants, in: catalog, db)
        for field in fields {
            guard let type = catalog.types[name] else { return }
            catalog = try SchemaTables.createField(
                field.name, field.type, of: type, in: catalog, indexing: indexing, db)
        }
    }
}
