import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// A save conflict: the submitted and the stored values side by side, with a choice for each field.
struct RecordConflict {
    let call: ConsoleCall
    let spot: DataSpot
    let change: RecordChange

    func page() async throws -> Response {
        let name = change.name ?? ""
        let record =
            try await call.operations.run(
                RecordOperations.show, spot.arguments.with("recordName", .string(name))
            ).record.object ?? JSONObject()
        let modified = record["modified"]?.object
        let tag = record["recordChangeTag"]?.string ?? ""
        let content = Content(
            name: name, sent: change.tag ?? "", who: modified?["userRecordName"]?.string ?? "somebody", tag: tag,
            when: modified?["timestamp"]?.integer.map { Timestamp(milliseconds: $0).inFull } ?? "",
            hidden: spot.hidden + [("name", name), ("type", change.type), ("tag", tag)].map(FilledField.init),
            fields: change.fields.map { field($0, now: record["fields"]?.object?[$0.name]?.object?["value"]) },
            back: spot.record(name))
        return try call.render(
            content, title: "Somebody was faster", view: .data, place: spot.place, status: .conflict)
    }

    /// - Parameter now: the value in the newer version.
    private func field(_ field: RecordChange.Field, now: JSONValue?) -> Content.Field {
        let theirs = FieldTexts(now, field.type, at: spot)
        return Content.Field(
            name: field.name, type: field.type.name,
            typed: field.texts.hidden(field.name)
                + [FilledField(name: "o.\(field.name)", value: theirs?.whole ?? "")],
            mine: field.texts.shown, theirs: theirs?.shown ?? now.map { WireText.lines($0) } ?? "none")
    }

    struct Content: ConsoleContent {
        static let template = "console-conflict"

        let name: String
        /// The record's change tag when the form was made.
        let sent: String
        /// The last writer, with tag and time of the newer version.
        let who: String
        let tag: String
        let when: String
        let hidden: [FilledField]
        let fields: [Field]
        let back: String

        init(
            name: String, sent: String, who: String, tag: String, when: String, hidden: [FilledField], fields: [Field],
            back: String
        ) {
            self.name = name
            self.sent = sent
            self.who = who
            self.tag = tag
            self.when = when
            self.hidden = hidden
            self.fields = fields
            self.back = back
        }

        struct Field: PageView {
            let name: String
            let type: String
            /// The submitted texts as hidden fields.
            let typed: [FilledField]
            let mine: String
            let theirs: String
        }
    }
}
