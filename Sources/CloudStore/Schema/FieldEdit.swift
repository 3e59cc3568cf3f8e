import CloudModel
import CloudSQL

/// Edits the fields of a stored record type.
struct FieldEdit {
    let type: RecordType
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    func add(_ name: String, _ declaration: FieldDeclaration) throws {
        let field = try SchemaTables.insertField(name, declaration, of: type, db)
        try SchemaTables.addColumn(field, to: type, db)
    }

    /// Removes a field. Values in record bodies are ignored until the next build removes them.
    func remove(_ name: String) throws {
        let field = try stored(name)
        if BuiltInTypes.isBuiltIn(field: name, of: type.name) {
            throw ServerError.badRequest(
                "field '\(name)' of record type '\(known: type.name)' is built in and stays as it is", .schema(.builtIn)
            )
        }
        try SubscriptionTable.leaveBucket(of: field, type: type.id, transaction)
        try db.run("DELETE FROM fields WHERE id = ?", .integer(field.id))
        try StoredIndexes.remove(.values(column: SchemaTables.column(.field(field))), type: type.id, db)
        try StoredIndexes.remove(.words(field: field.id), type: type.id, db)
        let generation = try IndexBuilds.queue(type: type.id, derivingAll: true, db)
        try db.run(
            """
            INSERT INTO dropped_fields (record_type, name, position, generation) VALUES (?, ?, ?, ?)
            ON CONFLICT (record_type, name) DO UPDATE SET
                position = excluded.position, generation = excluded.generation
            """,
            .integer(type.id), .text(name), .integer(transaction.positions.last), .integer(generation))
    }

    /// Narrows a NUMBER field or list to one number type, if all stored values fit.
    func apply(_ name: String, as declaration: FieldDeclaration) throws {
        let field = try stored(name)
        if let fault = try fault(of: field, as: declaration) { throw fault }
        try db.run(
            "UPDATE fields SET kind = ?, is_settled_number = ? WHERE id = ?", .text(declaration.type.kind.rawValue),
            .integer(declaration.isPreferredNumber ? 1 : 0), .integer(field.id))
        // Record bodies state the type of each number.
        if field.type != declaration.type { try IndexBuilds.queue(type: type.id, derivingAll: true, db) }
    }

    private func fault(of field: FieldDefinition, as declaration: FieldDeclaration) throws -> ServerError? {
        // List elements are stored in a separate table.
        let (value, table, among) =
            field.type.isList
            ? ("value", "elements", "field = \(field.id) AND ")
            : (SchemaTables.column(.field(field)), SchemaTables.table(type), "")
        let kind: SQLColumnKind
        switch (field.type.kind, declaration.type.kind) {
        case (.number, .int64): kind = .integer
        case (.number, .double): kind = .real
        default: return nil
        }
        let condition = db.dialect.spelling.isUnfit(value, for: kind)
        let example = try db.first("SELECT \(value) FROM \(table) WHERE \(among)\(condition) LIMIT 1") {
            db.dialect.spelling.digits(0, of: $0)
        }
        return example.map {
            .badRequest(
                "field '\(known: field.name)' of record type '\(known: type.name)' cannot become \(known: declaration.typeText): "
                    + "a record has \($0) in it", .schema(.loss))
        }
    }

    func mark(_ name: String, _ marks: Set<IndexKind>) throws {
        try db.run(
            "UPDATE fields SET indexes = ? WHERE id = ?", .text(SchemaColumns.text(marks)),
            .integer(try stored(name).id))
    }

    private func stored(_ name: String) throws -> FieldDefinition {
        guard let field = type.fields[name] else {
            throw ServerError.badRequest(
                "Unknown field '\(Naming.shown(name))' in record type '\(known: type.name)'",
                .schema(.unknownField(type: type.name)))
        }
        return field
    }
}
