/// A step in a migration between schemas.
package enum SchemaChange: Hashable, Sendable {
    case addRole(String)
    case removeRole(String)
    case addType(String, TypeDefinition)
    case removeType(String)
    case addField(type: String, name: String, FieldDeclaration)
    case removeField(type: String, name: String)
    /// Changes a field's type; stored values of the field are lost.
    case retypeField(type: String, name: String, from: FieldDeclaration, to: FieldDeclaration)
    /// A NUMBER field, single or list, becomes INT64 or DOUBLE; its values stay.
    case preferNumber(type: String, name: String, to: FieldDeclaration)
    /// Changes the index marks of a field; implicit fields go by name.
    case indexField(type: String, name: String, from: Set<IndexKind>, to: Set<IndexKind>)
    case grant(type: String, role: String, from: Set<Permission>, to: Set<Permission>)

    /// True if the change deletes records or field values.
    package var losesData: Bool {
        switch self {
        case .removeType, .removeField, .retypeField: true
        default: false
        }
    }

    /// Permissions newly granted on stored records. New types, which have no records, do not count.
    package var widened: Set<Permission> {
        if case .grant(_, _, let old, let new) = self { new.subtracting(old) } else { [] }
    }
}

extension SchemaDefinition {
    /// Types of every container; a schema may omit them (reference A §11.3).
    package static let builtInTypes: Set<String> = [RecordType.users, RecordType.share]

    /// The migration steps to another schema: roles first, then types by name.
    package func changes(to target: SchemaDefinition) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        let (old, new) = (Set(roles), Set(target.roles))
        changes += target.roles.filter { !old.contains($0) }.map(SchemaChange.addRole)
        let names = Set(types.keys).union(target.types.keys)
        for name in names.sorted() {
            switch (types[name], target.types[name]) {
            case (nil, let new?): changes.append(.addType(name, new))
            case (_?, nil): if !Self.builtInTypes.contains(name) { changes.append(.removeType(name)) }
            case (let old?, let new?): changes += old.changes(to: new, type: name)
            case (nil, nil): break
            }
        }
        // Roles go last, after the grants that name them.
        return changes + roles.filter { !new.contains($0) }.map(SchemaChange.removeRole)
    }
}

extension TypeDefinition {
    fileprivate func changes(to target: TypeDefinition, type: String) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        for name in Set(fields.keys).union(target.fields.keys).sorted() {
            switch (fields[name], target.fields[name]) {
            case (nil, let new?): changes.append(.addField(type: type, name: name, new))
            case (_?, nil): changes.append(.removeField(type: type, name: name))
            case (let old?, let new?): changes += old.changes(to: new, type: type, name: name)
            case (nil, nil): break
            }
        }
        for field in ImplicitField.allCases where implicit[field] != target.implicit[field] {
            changes.append(
                .indexField(
                    type: type, name: field.rawValue, from: implicit[field] ?? [], to: target.implicit[field] ?? []))
        }
        for role in Set(grants.permissions.keys).union(target.grants.permissions.keys).sorted() {
            let (old, new) = (grants.permissions[role] ?? [], target.grants.permissions[role] ?? [])
            if old != new { changes.append(.grant(type: type, role: role, from: old, to: new)) }
        }
        return changes
    }
}

extension FieldDeclaration {
    fileprivate func changes(to target: FieldDeclaration, type: String, name: String) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        if self.type != target.type {
            let settles =
                self.type == FieldType(.number, isList: target.type.isList) && target.isPreferredNumber
            if settles {
                changes.append(.preferNumber(type: type, name: name, to: target))
            } else {
                // Recreating the field also recreates its indexes.
                return [.retypeField(type: type, name: name, from: self, to: target)]
            }
        } else if isPreferredNumber != target.isPreferredNumber {
            changes.append(.preferNumber(type: type, name: name, to: target))
        }
        if indexes != target.indexes {
            changes.append(.indexField(type: type, name: name, from: indexes, to: target.indexes))
        }
        return changes
    }
}

extension SchemaDefinition {
    /// Losses that a schema would cause in production, where removals are forbidden (reference A §11.4): a line for each.
    package func losses(in target: SchemaDefinition) -> [String] {
        changes(to: target).compactMap { change in
            switch change {
            case .removeType(let name): "record type '\(name)' is in production and cannot be removed"
            case .removeField(let type, let name):
                "field '\(name)' of record type '\(type)' is in production and cannot be removed"
            case .retypeField(let type, let name, let old, let new):
                "field '\(name)' of record type '\(type)' is \(old.typeText) in production and cannot become "
                    + new.typeText
            case .removeRole(let name): "role '\(name)' is in production and cannot be removed"
            default: nil
            }
        }
    }
}
