import CloudModel
import CloudOperations
import Hummingbird

/// A save that met a newer version: both beside each other, and a choice for each field.
struct RecordConflict {
    let call: ConsoleCall
    let spot: DataSpot
    let change: RecordChange

    func page() async throws -> Response {
        let record =
            try await call.operations.run(
                RecordOperations.show, spot.arguments.with("recordName", .string(change.name))
            ).record.object ?? JSONObject()
        let modified = record["modified"]?.object
        let tag = record["recordChangeTag"]?.string ?? ""
        return try call.render(
            "console-conflict", "Somebody was faster", view: .data, place: spot.place,
            [
                "name": change.name, "back": spot.record(change.name), "sent": change.tag, "tag": tag,
                "who": modified?["userRecordName"]?.string ?? "somebody",
                "when": Sheet.Cell.time(modified?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))).text,
                "hidden": spot.hidden
                    + [("name", change.name), ("type", change.type), ("tag", tag)].map(PageContent.field),
                "fields": change.fields.map { field in
                    PageContent([
                        "name": field.name, "type": field.type.name, "mine": field.text,
                        "theirs": WireText.edited(record["fields"]?.object?[field.name]?.object?["value"], field.type)
                            ?? "",
                    ])
                },
            ], status: .conflict)
    }
}
