import CloudModel
import CloudOperations

/// The fields of a record's type, with an editor for those that have one.
struct RecordFields {
    private let fields: [(name: String, declaration: FieldDeclaration)]

    /// - Parameter definition: of the type; nil for one that the schema does not know.
    init(_ definition: TypeDefinition?) {
        fields = (definition?.fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func contents(of record: JSONObject) -> [PageContent] {
        fields.map { name, declaration in
            let value = record["fields"]?.object?[name]?.object?["value"]
            var content: [String: Any] = [
                "name": name, "type": declaration.type.name,
                "marks": IndexKind.allCases.filter(declaration.indexes.contains).map { $0.rawValue.lowercased() }
                    .joined(separator: ", "),
            ]
            if let text = WireText.edited(value, declaration.type) {
                content[
                    WireText.isNumber(declaration.type) || declaration.type.kind == .timestamp ? "number" : "text"] =
                    PageContent(["name": name, "value": text])
                if declaration.type.kind == .timestamp, !text.isEmpty {
                    content["remark"] = WireText.text(value, declaration.type)
                }
            } else if let value {
                content["fixed"] = WireText.lines(value)
            } else {
                content["isMissing"] = true
            }
            return PageContent(content)
        }
    }

    /// The fields of a form whose text is another than when the form was made, with their values.
    func changes(in form: FormFields) throws(ServerError) -> [RecordChange.Field] {
        var changes: [RecordChange.Field] = []
        for (name, declaration) in fields {
            guard let text = form["f.\(name)"].map(FormFields.lines), text != form["o.\(name)"].map(FormFields.lines)
            else {
                continue
            }
            changes.append(
                RecordChange.Field(
                    name: name, text: text, value: try WireText.value(text, declaration.type, field: name),
                    type: declaration.type))
        }
        return changes
    }
}

extension FormFields {
    /// Browsers end the lines of a form with two characters.
    static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }
}

/// The change that the form of a record's page asks for.
struct RecordChange {
    /// A field with the text that was typed into it.
    struct Field {
        let name: String
        let text: String
        let value: JSONValue
        let type: FieldType
    }

    let name: String
    let type: String
    /// The tag of the record that the form was made of.
    let tag: String
    let isDeletion: Bool
    let fields: [Field]

    init(call: ConsoleCall, spot: DataSpot) async throws {
        name = try call.form.text("name")
        type = try call.form.text("type")
        tag = try call.form.text("tag")
        isDeletion = call.form["do"] == "delete"
        fields =
            try await isDeletion
            ? [] : RecordFields(call.schema(of: spot.place).types[type]).changes(in: call.form)
    }

    /// As the wire has it; nil when nothing was changed.
    func operation() throws(ServerError) -> JSONValue? {
        guard isDeletion || !fields.isEmpty else { return nil }
        var record = [
            JSONObject.Member(key: "recordName", value: .string(name)),
            .init(key: "recordChangeTag", value: .string(tag)),
        ]
        if !isDeletion {
            record += [
                .init(key: "recordType", value: .string(type)),
                .init(
                    key: "fields",
                    value: .object(
                        JSONObject(
                            fields.map { WireText.field($0.name, $0.value, $0.type) }))),
            ]
        }
        return .object(
            JSONObject([
                .init(key: "operationType", value: .string(isDeletion ? "delete" : "update")),
                .init(key: "record", value: .object(JSONObject(record))),
            ]))
    }
}
