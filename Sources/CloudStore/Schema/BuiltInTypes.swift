import CloudModel
import GRDB

/// The types every container has from the start (reference A §11.3).
enum BuiltInTypes {
    static func ensure(_ db: Database, indexing: IndexPolicy) throws {
        let catalog = try SchemaTables.load(db)
        guard catalog.types[RecordType.users] == nil else { return }
        let grown = try SchemaTables.createType(
            RecordType.users, grants: .users, in: catalog, db)
        guard let users = grown.types[RecordType.users] else { return }
        _ = try SchemaTables.createField(
            "roles", FieldType(.int64, isList: true), of: users, in: grown, indexing: indexing, db)
    }
}
