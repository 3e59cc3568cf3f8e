import CloudHTTP
import CloudModel
import CloudOperations

/// The change requested by a record page's form.
struct RecordChange {
    /// A changed field, with the submitted texts.
    struct Field {
        let name: String
        let texts: FieldTexts
        let value: JSONValue
        let type: FieldType
    }

    /// Nil for a new record with a server-generated name.
    let name: String?
    let type: String
    /// The record's change tag when the form was made; nil for a new record.
    let tag: String?
    let isDeletion: Bool
    let fields: [Field]
    /// The reasons for failed fields, by field name.
    let faults: [String: String]

    init(call: ConsoleCall, spot: DataSpot) async throws {
        type = try call.form.text("type")
        tag = call.form.filled("tag")
        name = tag == nil ? call.form.filled("name") : try call.form.text("name")
        isDeletion = call.form["do"] == "delete"
        guard !isDeletion else {
            (fields, faults) = ([], [:])
            return
        }
        let definition = try await call.schema(of: spot.place).types[type]
        (fields, faults) = RecordFields(definition, at: spot, call.operations.workplace.limits).changes(in: call.form)
    }

    /// The operation in the wire format; nil without changes.
    var operation: JSONValue? {
        guard isDeletion || tag == nil || !fields.isEmpty else { return nil }
        var record = [("recordName", name), ("recordChangeTag", tag)].compactMap { key, text in
            text.map { JSONObject.Member(key: key, value: .string($0)) }
        }
        if !isDeletion {
            let values = JSONObject(fields.map { WireText.field($0.name, $0.value, $0.type) })
            record += [
                .init(key: "recordType", value: .string(type)), .init(key: "fields", value: .object(values)),
            ]
        }
        let kind = isDeletion ? "delete" : tag == nil ? "create" : "update"
        return .object(
            JSONObject([
                .init(key: "operationType", value: .string(kind)),
                .init(key: "record", value: .object(JSONObject(record))),
            ]))
    }
}
