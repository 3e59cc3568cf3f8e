import CloudEmulator
import CloudHTTP
import CloudModel
import CloudPages

/// The forms of the emulator's page, and their conversion to the JSON of its endpoints. A field is named like its JSON
/// member.
enum EmulatorForm {
    static let path = ConsoleView.emulator.path

    /// The clock's time.
    static let set = FormField("set", "Set to", .moment, isRequired: true).with {
        $0.placeholder = "2026-01-31T08:00:00Z"
    }

    /// The seconds to advance the clock by.
    static let advance = FormField("advance", "Seconds", .number)

    static let snapshot = FormField("name", "Name of the snapshot", .code, isRequired: true).with {
        $0.classes = "fill"
        $0.placeholder = "name"
        $0.spoken = $0.label
    }

    static let seed = FormField("lines", "Seed as JSON lines", .area(rows: 6), isRequired: true).with {
        $0.spoken = $0.label
    }

    static let keepSchema = FormField("keepSchema", "Keep the schema", .check("yes"))

    /// The choice of sync tokens at a restore.
    static func syncTokens(of snapshot: String) -> FormField {
        FormField(
            "syncTokens", "Sync tokens", .menu([("kept", "tokens kept"), ("refused", "tokens refused")])
        ).with { $0.spoken = "Sync tokens after a restore of \(snapshot)" }
    }

    /// The members of a fault.
    ///
    /// - Parameter routes: the names of routes that accept faults.
    static func fault(routes: [String]) -> [FormField] {
        func menu(_ first: String, _ values: [String]) -> FormField.Kind {
            .menu([("", first)] + values.map { ($0, $0) })
        }
        func named(_ name: String, _ label: String, _ placeholder: String) -> FormField {
            FormField(name, label, .code).with { $0.placeholder = placeholder }
        }
        let times: [(value: String, label: String)] = [
            ("", "no"), ("before", "before the work"), ("after", "after it"),
        ]
        return [
            FormField("route", "On", menu("any request", routes)), named("user", "of", "anybody"),
            named("recordType", "about record type", "any"),
            FormField("error", "answer with error", menu("no error", ServerError.Code.allCases.map(\.rawValue))),
            FormField("retryAfter", "retry after (s)", .number), FormField("hangUp", "hang up", .menu(times)),
            FormField("latency", "wait (ms)", .number), FormField("pageSize", "page size", .number),
            FormField("push", "notifications are", menu("sent", PushFault.allCases.map(\.rawValue))),
            FormField("nth", "only the nth time", .number), FormField("count", "at most so often", .number),
            FormField("probability", "probability", .decimal).with { $0.placeholder = "1" },
            FormField("seed", "seed", .number),
        ]
    }

    /// The JSON of a form; empty fields are left out.
    ///
    /// - Throws: `BAD_REQUEST` that names the field.
    static func object(_ form: FormFields, _ fields: [FormField]) throws(ServerError) -> JSONObject {
        var members: [JSONObject.Member] = []
        for field in fields {
            guard let text = form.filled(field.name) else { continue }
            let value: JSONValue =
                switch field.kind {
                case .number, .decimal: try WireText.value(text, FieldType(.double), field: field.name)
                case .moment: try WireText.value(text, FieldType(.timestamp), field: field.name)
                default: .string(text)
                }
            members.append(.init(key: field.name, value: value))
        }
        return JSONObject(members)
    }

    static func flag(_ name: String) -> JSONObject { JSONObject([.init(key: name, value: .bool(true))]) }
}
