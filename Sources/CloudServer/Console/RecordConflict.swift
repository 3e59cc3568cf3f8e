import CloudModel
import CloudOperations
import Hummingbird

/// A save that met a newer version: both beside each other, and a choice for each field.
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
        return try call.render(
            "console-conflict", "Somebody was faster", view: .data, place: spot.place,
            [
                "name": name, "back": spot.record(name), "sent": change.tag ?? "", "tag": tag,
                "who": modified?["userRecordName"]?.string ?? "somebody",
                "when": Sheet.Cell.time(modified?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))).text,
                "hidden": spot.hidden + [("name", name), ("type", change.type), ("tag", tag)].map(PageContent.field),
                "fields": change.fields.map {
                    field($0, now: record["fields"]?.object?[$0.name]?.object?["value"])
                },
            ], status: .conflict)
    }

    /// - Parameter now: the value that the newer version has.
    private func field(_ field: RecordChange.Field, now: JSONValue?) -> PageContent {
        let theirs = FieldTexts(now, field.type, at: spot)
        return PageContent([
            "name": field.name, "type": field.type.name, "mine": field.texts.shown,
            "theirs": theirs?.shown ?? now.map { WireText.lines($0) } ?? "none",
            "typed": field.texts.hidden(field.name) + [PageContent.field("o.\(field.name)", theirs?.whole ?? "")],
        ])
    }
}
