import CloudHTTP
import CloudModel
import CloudOperations

/// The fields of a record's type, with an editor for each editable field.
struct RecordFields {
    private let spot: DataSpot
    private let limits: Limits
    private let fields: [(name: String, declaration: FieldDeclaration)]

    /// The share of a form's 128 KB that the fields may fill, in bytes.
    private static let room = 96 << 10

    /// - Parameter definition: the type's definition; nil for a type without schema.
    init(_ definition: TypeDefinition?, at spot: DataSpot, _ limits: Limits) {
        self.spot = spot
        self.limits = limits
        fields = (definition?.fields ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// - Parameters:
    ///   - record: nil for a new record.
    ///   - given: the submitted form after a failed save; nil on a fresh page.
    ///   - faults: the reasons for failed fields, by field name.
    func views(
        of record: JSONObject?, files: RecordFiles, given: FormFields? = nil, faults: [String: String] = [:]
    ) -> [FieldView] {
        let values = record?["fields"]?.object ?? JSONObject()
        var room = Self.room
        let known = fields.map { name, declaration in
            let editor = FieldEditor(
                name: name, declaration: declaration, value: values[name]?.object?["value"], spot: spot, given: given,
                fault: faults[name], record: record?["recordName"]?.string)
            // A submitted field keeps its editor, regardless of size.
            let hasRoom = given?["f.\(name)"] != nil || editor.formBytes <= room
            if hasRoom { room -= editor.formBytes }
            return editor.view(hasRoom: hasRoom, files: files)
        }
        let others = values.members.filter { member in !fields.contains { $0.name == member.key } }
        return known
            + others.map {
                FieldView(name: $0.key, kind: "unknown to the schema", marks: "", fixed: WireText.lines($0.value))
            }
    }

    /// The changed fields of a form, and the reasons for fields that failed to parse.
    func changes(in form: FormFields) -> (changes: [RecordChange.Field], faults: [String: String]) {
        var (changes, faults): ([RecordChange.Field], [String: String]) = ([], [:])
        for (name, declaration) in fields where form["keep.\(name)"] != "theirs" {
            guard let texts = FieldTexts(form, field: name) else { continue }
            let isChanged = texts.whole != FormFields.lines(form["o.\(name)"] ?? "")
            guard isChanged || texts.isRemoved else { continue }
            if texts.isRemoved, isChanged, form["f.\(name)"] != nil {
                faults[name] = "\(name) is both changed and removed"
                continue
            }
            let parsing = FieldParsing(field: name, type: declaration.type, spot: spot, limits: limits)
            do throws(ServerError) {
                changes.append(
                    RecordChange.Field(
                        name: name, texts: texts, value: try parsing.value(texts), type: declaration.type))
            } catch {
                faults[name] = error.reason
            }
        }
        return (changes, faults)
    }
}

extension FormFields {
    /// Normalizes the CRLF line ends of submitted forms.
    static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }
}
