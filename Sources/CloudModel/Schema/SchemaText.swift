/// Writes schema text in Apple's published form (reference A §11.3).
package enum SchemaText {
    private static let reserved: Set<String> = ["grant", "preferred", "queryable", "searchable", "sortable"]

    /// Returns true for words of the schema language, which need quotes as names.
    static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

    package static func text(_ schema: SchemaDefinition) -> String {
        var parts = schema.roles.map { "    CREATE ROLE \(quoted($0));\n" }
        parts += schema.types.sorted { ascii($0.key, $1.key) }.map { text($0.key, $0.value) }
        return "DEFINE SCHEMA\n" + parts.map { "\n" + $0 }.joined()
    }

    private static func text(_ name: String, _ type: TypeDefinition) -> String {
        var fields = type.fields.map { (name: $0.key, declaration: $0.value) }
        fields += ImplicitField.allCases.map {
            (name: $0.rawValue, declaration: FieldDeclaration(FieldType($0.kind), indexes: type.implicit[$0] ?? []))
        }
        fields.sort { ascii($0.name, $1.name) }
        let width = fields.map { quoted($0.name).count }.max() ?? 0
        var items = fields.map { field in
            let name = quoted(field.name)
            return name + String(repeating: " ", count: width - name.count + 1) + field.declaration.text
        }
        items += type.grants.permissions.filter { !$0.value.isEmpty }.sorted { ascii($0.key, $1.key) }
            .map { role, permissions in
                let granted = Permission.allCases.filter(permissions.contains).map(\.rawValue)
                return "GRANT \(granted.joined(separator: ", ")) TO \(quoted(role))"
            }
        let lines = items.map { "        " + $0 }.joined(separator: ",\n")
        return "    RECORD TYPE \(quoted(name)) (\n\(lines)\n    );\n"
    }

    private static func ascii(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Quotes a name if necessary.
    package static func quoted(_ name: String) -> String {
        let isPlain =
            name.utf8.first.map(Naming.isLetter) == true && name.utf8.allSatisfy(Naming.isWord) && !isReserved(name)
        return isPlain ? name : "\"\(name)\""
    }
}

extension FieldDeclaration {
    /// Type and indexes in schema text.
    package var text: String {
        ([typeText] + indexes.map(\.rawValue).sorted()).joined(separator: " ")
    }

    /// The type in schema text.
    package var typeText: String {
        let kind = isPreferredNumber ? "NUMBER PREFERRED AS \(type.kind.rawValue)" : type.kind.rawValue
        let element = (type.isEncrypted ? "ENCRYPTED " : "") + kind
        return type.isList ? "LIST<\(element)>" : element
    }
}
