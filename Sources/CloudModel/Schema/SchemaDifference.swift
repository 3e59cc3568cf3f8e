/// Migration steps as text: a line for each, `+` for additions, `-` for removals, `~` for changes.
package enum SchemaDifference {
    package static func text(_ changes: [SchemaChange]) -> String {
        changes.flatMap(lines).map { $0 + "\n" }.joined()
    }

    private static func lines(_ change: SchemaChange) -> [String] {
        switch change {
        case .addRole(let name): ["+ CREATE ROLE \(quoted(name))"]
        case .removeRole(let name): ["- CREATE ROLE \(quoted(name))"]
        case .addType(let name, let type): ["+ RECORD TYPE \(quoted(name))"] + lines(name, type)
        case .removeType(let name): ["- RECORD TYPE \(quoted(name))"]
        case .addField(let type, let name, let field): ["+ \(path(type, name)) \(field.text)"]
        case .removeField(let type, let name): ["- \(path(type, name))"]
        case .retypeField(let type, let name, let old, let new):
            ["- \(path(type, name)) \(old.text)", "+ \(path(type, name)) \(new.text)"]
        case .preferNumber(let type, let name, let field): ["~ \(path(type, name)) \(field.typeText)"]
        case .indexField(let type, let name, let old, let new):
            marks("-", type, name, old.subtracting(new)) + marks("+", type, name, new.subtracting(old))
        case .grant(let type, let role, let old, let new):
            grants("-", type, role, old.subtracting(new)) + grants("+", type, role, new.subtracting(old))
        }
    }

    private static func lines(_ name: String, _ type: TypeDefinition) -> [String] {
        let fields = type.fields.sorted { $0.key < $1.key }.map { "+ \(path(name, $0.key)) \($0.value.text)" }
        let implicit = ImplicitField.allCases.flatMap { marks("+", name, $0.rawValue, type.implicit[$0] ?? []) }
        let granted = type.grants.permissions.sorted { $0.key < $1.key }.flatMap { grants("+", name, $0.key, $0.value) }
        return fields + implicit + granted
    }

    private static func marks(_ sign: String, _ type: String, _ name: String, _ marks: Set<IndexKind>) -> [String] {
        marks.isEmpty ? [] : ["\(sign) \(path(type, name)) " + marks.map(\.rawValue).sorted().joined(separator: " ")]
    }

    private static func grants(
        _ sign: String, _ type: String, _ role: String, _ permissions: Set<Permission>
    ) -> [String] {
        let names = Permission.allCases.filter(permissions.contains).map(\.rawValue).joined(separator: ", ")
        return permissions.isEmpty ? [] : ["\(sign) \(quoted(type)) GRANT \(names) TO \(quoted(role))"]
    }

    private static func path(_ type: String, _ name: String) -> String { "\(quoted(type)).\(quoted(name))" }

    private static func quoted(_ name: String) -> String { SchemaText.quoted(name) }
}
