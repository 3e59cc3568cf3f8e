/// Generates an interface for each record type, and the schema for the JavaScript client's `configure`.
struct TypeScriptTypes {
    private let schema: SchemaDefinition
    private let names: LanguageNames

    init(_ schema: SchemaDefinition) {
        self.schema = schema
        names = LanguageNames(schema.types.keys, taken: Self.taken, suffix: "Record")
    }

    var text: String {
        let types = schema.types.sorted { LanguageNames.precedes($0.key, $1.key) }
        let interfaces = types.map(interface).joined(separator: "\n")
        // Strict compilers refuse an unused import.
        let imports = interfaces.contains(": Client.") ? "import type * as Client from \"cumulus-client\";\n" : ""
        let members = types.map { "    \(Self.key($0.key)): \(names[$0.key]);\n" }.joined()
        return """
            \(imports)
            \(interfaces)
            /** The fields of each record type, for `configure<Schema>(…)`. */
            export type Schema = {
            \(members)};

            """
    }

    private func interface(_ name: String, _ type: TypeDefinition) -> String {
        let fields = type.fields.sorted { LanguageNames.precedes($0.key, $1.key) }.map(Self.member)
        let comment = names[name] == name ? "" : "/** Record type \"\(name)\". */\n"
        return "\(comment)export interface \(names[name]) {\n\(fields.joined())}\n"
    }

    private static func member(_ name: String, _ field: FieldDeclaration) -> String {
        // The client sends bare values unencrypted, which the server refuses for encrypted fields.
        let isMarked = field.type.isEncrypted && field.type.kind != .bytes
        let comment = isMarked ? "    /** Encrypted: save it as `{ value, isEncrypted: true }`. */\n" : ""
        // Absent optional fields resolve to members inherited from `Object`.
        let inherited = inherited.contains(name) ? " | Object[\"\(name)\"]" : ""
        return "\(comment)    \(key(name)): \(value(field.type))\(inherited);\n"
    }

    private static func value(_ type: FieldType) -> String {
        let value =
            switch type.kind {
            case .string: "string"
            case .int64, .number: "number | bigint"
            case .double: "number"
            case .timestamp: "Date"
            case .bytes: "Uint8Array"
            case .location: "Client.Location"
            case .reference: "Client.Reference"
            case .asset: "Client.Asset"
            }
        guard type.isList else { return value }
        return value.contains(" ") ? "(\(value))[]" : "\(value)[]"
    }

    private static func key(_ name: String) -> String { name.utf8.allSatisfy(Naming.isWord) ? name : "\"\(name)\"" }

    /// Reserved words, and names used by the generated text.
    private static let taken = Set(
        """
        any await bigint boolean break case catch class const continue debugger default delete do else enum export \
        extends false finally for function if implements import in infer instanceof interface keyof let never new null \
        number object package private protected public readonly return static string super switch symbol this throw \
        true try typeof undefined unique unknown var void while with yield \
        Client Date Object Schema Uint8Array
        """.split(separator: " ").map(String.init))

    private static let inherited: Set<String> = [
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
        "valueOf",
    ]
}
