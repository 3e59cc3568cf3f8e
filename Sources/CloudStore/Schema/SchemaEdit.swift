package import CloudModel
import CloudSQL

/// Changes the stored schema step by step, within a write transaction.
///
/// Slow work is queued, and finished at once only for types with few records.
package struct SchemaEdit {
    let transaction: WriteTransaction
    let limits: Limits
    let removal: TypeRemoval
    /// The schema before the change.
    private let catalog: Catalog
    private var db: SQLConnection { transaction.db }

    package init(_ transaction: WriteTransaction, limits: Limits, removal: TypeRemoval) {
        self.transaction = transaction
        self.limits = limits
        self.removal = removal
        catalog = transaction.catalog
    }

    /// - Parameter finishes: whether to finish small work at once; otherwise all work on records stays queued.
    /// - Returns: the steps taken; without steps the schema keeps its version.
    package func change(to target: SchemaDefinition, finishes: Bool = true) throws -> [SchemaChange] {
        if let fault = target.fault(limits) { throw ServerError.badRequest(fault) }
        let changes = catalog.definition.changes(to: target)
        guard !changes.isEmpty else { return [] }
        for change in changes { try make(change) }
        let edit = IndexEdit(transaction)
        for type in try CatalogReader.load(db).types.values.sorted(by: { $0.id < $1.id }) {
            if let old = catalog.type(id: type.id) { try edit.apply(type, from: old) }
        }
        try transaction.schema.reload()
        if finishes { try SmallChanges(transaction, removal: removal).run() }
        return changes
    }

    private func make(_ change: SchemaChange) throws {
        switch change {
        case .addRole(let name): try db.run("INSERT INTO roles (name) VALUES (?)", .text(name))
        case .removeRole(let name): try db.run("DELETE FROM roles WHERE name = ?", .text(name))
        case .addType(let name, let type): try add(name, type)
        case .removeType(let name): try removal.begin(type(name))
        case .addField(let type, let name, let field): try fields(of: type).add(name, field)
        case .removeField(let type, let name): try fields(of: type).remove(name)
        case .retypeField(let type, let name, _, let field):
            try fields(of: type).remove(name)
            try fields(of: type).add(name, field)
        case .preferNumber(let type, let name, let field): try fields(of: type).apply(name, as: field)
        case .indexField(let type, let name, _, let new):
            if let implicit = ImplicitField(rawValue: name) {
                try mark(implicit, of: type, new)
            } else {
                try fields(of: type).mark(name, new)
            }
        case .grant(let type, let role, _, let permissions): try grant(permissions, to: role, on: type)
        }
    }

    private func type(_ name: String) throws -> RecordType {
        guard let type = catalog.types[name] else {
            throw ServerError(.notFound, "Did not find record type: \(Naming.shown(name))", .schema(.unknownType))
        }
        return type
    }

    private func fields(of name: String) throws -> FieldEdit {
        FieldEdit(type: try type(name), transaction: transaction)
    }

    private func add(_ name: String, _ definition: TypeDefinition) throws {
        _ = try SchemaTables.createType(
            name, grants: definition.grants, implicit: definition.implicit,
            fields: definition.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, isAskedFor: true, db)
    }

    private func mark(_ field: ImplicitField, of name: String, _ marks: Set<IndexKind>) throws {
        let type = try type(name)
        let text = try db.first("SELECT system_indexes FROM record_types WHERE id = ?", .integer(type.id)) {
            $0.text(0)
        }
        var implicit = SchemaColumns.implicit(text ?? "")
        implicit[field] = marks
        try db.run(
            "UPDATE record_types SET system_indexes = ? WHERE id = ?", .text(SchemaColumns.text(implicit)),
            .integer(type.id))
    }

    private func grant(_ permissions: Set<Permission>, to role: String, on name: String) throws {
        let type = try type(name)
        let text = try db.first("SELECT grants FROM record_types WHERE id = ?", .integer(type.id)) { $0.text(0) }
        var grants = SchemaColumns.grants(text ?? "")
        grants.permissions[role] = permissions.isEmpty ? nil : permissions
        try db.run(
            "UPDATE record_types SET grants = ? WHERE id = ?", .text(SchemaColumns.text(grants)), .integer(type.id))
    }
}
