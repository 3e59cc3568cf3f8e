import CloudModel
import GRDB

/// Brings the schema of an export, and the numbers of its roles, into an environment that has nothing but the types
/// every environment has.
enum ImportedSchema {
    static func create(
        _ schema: SchemaDefinition, _ manifest: ExportManifest, indexing: IndexPolicy, _ transaction: WriteTransaction
    ) throws {
        let db = transaction.db
        for role in manifest.roles {
            try db.run("INSERT INTO roles (id, name) VALUES (?, ?)", .integer(role.number), .text(role.name))
        }
        if manifest.lastRole > 0 {
            // No number is given twice, not even that of a role that is gone.
            try db.run("DELETE FROM sqlite_sequence WHERE name = 'roles'")
            try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('roles', ?)", .integer(manifest.lastRole))
        }
        var catalog = transaction.catalog
        for (name, type) in schema.types.sorted(by: { $0.key < $1.key }) {
            if catalog.types[name] == nil {
                catalog = try SchemaTables.createType(name, grants: type.grants, in: catalog, db)
            }
            catalog = try createFields(of: name, type, in: catalog, indexing: indexing, db)
            try db.run(
                "UPDATE record_types SET grants = ?, system_indexes = ? WHERE name = ?",
                .text(SchemaColumns.text(type.grants)), .text(SchemaColumns.text(type.implicit)), .text(name))
        }
        transaction.adopt(try SchemaTables.load(db))
    }

    private static func createFields(
        of name: String, _ definition: TypeDefinition, in catalog: Catalog, indexing: IndexPolicy, _ db: Database
    ) throws -> Catalog {
        var catalog = catalog
        for (field, declaration) in definition.fields.sorted(by: { $0.key < $1.key }) {
            guard let type = catalog.types[name] else { continue }
            if type.fields[field] == nil {
                catalog = try SchemaTables.createField(
                    field, declaration.type, of: type, in: catalog, indexing: indexing, db)
            }
            try db.run(
                "UPDATE fields SET indexes = ?, is_settled_number = ? WHERE record_type = ? AND name = ?",
                .text(SchemaColumns.text(declaration.indexes)), .integer(declaration.isSettledNumber ? 1 : 0),
                .integer(type.id), .text(field))
        }
        return catalog
    }
}
