import CloudModel

/// The field that serves as the display name of a type's records.
struct RecordNaming {
    typealias Field = (name: String, declaration: FieldDeclaration)

    /// Nil for a type without a display name.
    let field: Field?

    /// Field names that indicate a display name, the likeliest first; then likely endings of field names.
    private static let names = ["title", "name", "displayname", "fullname", "label", "subject", "caption", "headline"]
    private static let endings = ["title", "name"]

    init(_ definition: TypeDefinition?) {
        let texts = (definition?.fields ?? [:]).filter { _, declaration in
            declaration.type == FieldType(.string)
        }.sorted { $0.key < $1.key }
        let exact = Self.names.lazy.compactMap { name in texts.first { $0.key.lowercased() == name } }.first
        let ending = Self.endings.lazy.compactMap { end in texts.first { $0.key.lowercased().hasSuffix(end) } }.first
        field = (exact ?? ending).map { ($0.key, $0.value) }
    }

    /// The fields other than the display name.
    func rest(of fields: [Field]) -> [Field] { fields.filter { $0.name != field?.name } }

    /// A record's display name; nil if empty.
    func text(of record: JSONObject) -> String? {
        guard let field else { return nil }
        let text = WireText.text(record["fields"]?.object?[field.name]?.object?["value"], field.declaration.type)
        return text.isEmpty ? nil : text
    }
}
