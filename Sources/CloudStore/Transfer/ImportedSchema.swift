import CloudModel
import CloudSQL

/// Brings the schema of an export, and the numbers of its roles, into an environment that has nothing but the types
/// every environment has.
enum ImportedSchema {
    /// - Parameter edit: takes the steps to another schema.
    static func create(
        _ schema: SchemaDefinition, _ manifest: ExportManifest, _ transaction: WriteTransaction,
        edit: (WriteTransaction) -> SchemaEdit
    ) throws {
        let db = transaction.db
        for role in manifest.roles {
            try db.run("INSERT INTO roles (id, name) VALUES (?, ?)", .integer(role.number), .text(role.name))
        }
        if manifest.lastRole > 0 {
            // No number is given twice, not even that of a role that is gone.
            try db.dialect.setLastID(manifest.lastRole, of: "roles", db)
        }
        try transaction.reloadSchema()
        let target = BuiltInTypes.completing(schema, from: transaction.catalog.definition)
        _ = try edit(transaction).change(to: target)
    }
}
