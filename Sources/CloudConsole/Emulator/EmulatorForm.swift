import CloudHTTP
import CloudModel

/// Converts the forms of the emulator's page to the JSON of its endpoints.
enum EmulatorForm {
    /// A form field named like its JSON member; empty fields are left out.
    struct Field {
        enum Kind { case text, number, moment }

        let name: String
        let kind: Kind

        init(_ name: String, _ kind: Kind = .text) {
            self.name = name
            self.kind = kind
        }
    }

    static let fault: [Field] = [
        Field("route"), Field("container"), Field("user"), Field("recordType"), Field("error"),
        Field("retryAfter", .number), Field("hangUp"), Field("latency", .number), Field("pageSize", .number),
        Field("push"), Field("nth", .number), Field("count", .number), Field("probability", .number),
        Field("seed", .number),
    ]

    /// - Throws: `BAD_REQUEST` that names the field.
    static func object(_ form: FormFields, _ fields: [Field]) throws(ServerError) -> JSONObject {
        var members: [JSONObject.Member] = []
        for field in fields {
            guard let text = form.filled(field.name) else { continue }
            let value: JSONValue =
                switch field.kind {
                case .text: .string(text)
                case .number: try WireText.value(text, FieldType(.double), field: field.name)
                case .moment: try WireText.value(text, FieldType(.timestamp), field: field.name)
                }
            members.append(.init(key: field.name, value: value))
        }
        return JSONObject(members)
    }

    static func flag(_ name: String) -> JSONObject { JSONObject([.init(key: name, value: .bool(true))]) }
}
