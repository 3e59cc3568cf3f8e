import CloudModel
import CloudSQL
import CloudStore

/// Creates an export's schema and role numbers in an empty environment, which has the built-in types.
enum ImportedSchema {
    /// - Parameter edit: makes the editor that changes the schema.
    static func create(
        _ schema: SchemaDefinition, _ manifest: ExportManifest, _ transaction: WriteTransaction,
        edit: (WriteTransaction) -> SchemaEdit
    ) throws {
        let db = transaction.db
        for role in manifest.roles {
            try db.run("INSERT INTO roles (id, name) VALUES (?, ?)", .integer(role.number), .text(role.name))
        }
        if manifest.lastRole > 0 {
            // Role numbers are never reused, even those of deleted roles.
            try db.dialect.upkeep.setLastID(manifest.lastRole, of: "roles", db)
        }
        try transaction.schema.reload()
        let target = BuiltInTypes.completing(schema, from: transaction.catalog.definition)
        _ = try edit(transaction).change(to: target)
    }
}
