import CloudModel
import GRDB

/// Changes the fields of one stored record type.
struct FieldEdit {
    let type: RecordType
    let transaction: WriteTransaction
    let indexing: IndexPolicy
    private var db: Database { transaction.db }

    func add(_ name: String, _ declaration: FieldDeclaration) throws {
        let field = try SchemaTables.insertField(name, declaration, of: type, db)
        _ = try SchemaTables.addColumn(
            field, to: type, indexing: indexing, most: transaction.pace.mostIndexedAtOnce, db)
    }

    /// Takes a field out. What bodies say of it goes with the next build, and counts as nothing until then.
    func remove(_ name: String) throws {
        let field = try stored(name)
        if BuiltInTypes.isBuiltIn(field: name, of: type.name) {
            throw ServerError.badRequest("field '\(name)' of record type '\(type.name)' is built in and stays as it is")
        }
        try SubscriptionTable.leaveBucket(of: field, type: type.id, transaction)
        try db.run("DELETE FROM fields WHERE id = ?", .integer(field.id))
        let generation = try IndexBuilds.queue(type: type.id, derivingAll: true, db)
        try db.run(
            "INSERT OR REPLACE INTO dropped_fields (record_type, name, position, generation) VALUES (?, ?, ?, ?)",
            .integer(type.id), .text(name), .integer(transaction.position), .integer(generation))
    }

    /// A NUMBER becomes one kind of number, if all its values are of that kind.
    func settle(_ name: String, as declaration: FieldDeclaration) throws {
        let field = try stored(name)
        if let fault = try fault(of: field, as: declaration) { throw fault }
        try db.run(
            "UPDATE fields SET kind = ?, is_settled_number = ? WHERE id = ?", .text(declaration.type.kind.rawValue),
            .integer(declaration.isSettledNumber ? 1 : 0), .integer(field.id))
        // Bodies say what kind each number is.
        if field.type != declaration.type { try IndexBuilds.queue(type: type.id, derivingAll: true, db) }
    }

    private func fault(of field: FieldDefinition, as declaration: FieldDeclaration) throws -> ServerError? {
        let column = SchemaTables.column(.field(field))
        let condition =
            switch (field.type.kind, declaration.type.kind) {
            case (.number, .int64): "typeof(\(column)) = 'real' AND CAST(\(column) AS INTEGER) <> \(column)"
            case (.number, .double):
                "typeof(\(column)) = 'integer' AND CAST(CAST(\(column) AS REAL) AS INTEGER) <> \(column)"
            default: "0"
            }
        let example = try db.first("SELECT \(column) FROM \(SchemaTables.table(type)) WHERE \(condition) LIMIT 1") {
            $0.text(0)
        }
        return example.map {
            .badRequest(
                "field '\(field.name)' of record type '\(type.name)' cannot become \(declaration.typeText): "
                    + "a record has \($0) in it")
        }
    }

    func index(_ name: String, from old: Set<IndexMark>, to new: Set<IndexMark>) throws {
        let field = try stored(name)
        let column = SchemaTables.column(.field(field))
        try db.run("UPDATE fields SET indexes = ? WHERE id = ?", .text(SchemaColumns.text(new)), .integer(field.id))
        let had = SchemaTables.wantsIndex(field.type, old, indexing)
        let wants = SchemaTables.wantsIndex(field.type, new, indexing)
        if had && !wants { try SchemaTables.dropIndex(type, column: column, db) }
        if !had && wants { try addIndex(column, new) }
        let beside = besideColumn(field.type, new.subtracting(old))
        if !beside.isEmpty {
            try IndexBuilds.queue(type: type.id, derivingAll: true, unbuilt: [column: beside], db)
        }
    }

    private func addIndex(_ column: String, _ marks: Set<IndexMark>) throws {
        if try IndexBuilds.isLarge(type, most: transaction.pace.mostIndexedAtOnce, db) {
            try IndexBuilds.queue(type: type.id, unbuilt: [column: marks.subtracting([.searchable])], db)
        } else {
            try SchemaTables.createIndex(type, generation: type.generation, column: column, db)
        }
    }

    /// Of these marks those whose index is not that of a column, and so has to be derived from the records.
    private func besideColumn(_ type: FieldType, _ marks: Set<IndexMark>) -> Set<IndexMark> {
        type.kind == .location ? marks : marks.intersection([.searchable])
    }

    private func stored(_ name: String) throws -> FieldDefinition {
        guard let field = type.fields[name] else {
            throw ServerError.badRequest("Unknown field '\(Naming.shown(name))' in record type '\(type.name)'")
        }
        return field
    }
}
