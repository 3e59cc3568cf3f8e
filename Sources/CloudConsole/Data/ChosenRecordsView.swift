import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations
import CloudStore

/// `/console/records` and `/console/deletion`: bulk changes of records selected in a table.
enum ChosenRecordsView {
    /// Sets a field of the selected records or deletes them. Each change requires the tag that the table showed.
    static let change: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let type = try call.form.text("type")
        let picked = try PickedRecord.all(call.form, call.operations.workplace.limits)
        let operations: [JSONValue]
        if call.form["do"] == "delete" {
            operations = picked.map { $0.operation("delete") }
        } else {
            let members = try await members(call, spot, type)
            operations = picked.map { $0.operation("update", members) }
        }
        return try await ModifiedSheet(spot: spot, type: type).answer(call, operations)
    }

    /// Lists the records that a deletion also deletes, with the button to delete.
    static let preview: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let type = try call.form.text("type")
        let picked = try PickedRecord.all(call.form, call.operations.workplace.limits)
        var sheet = Sheet(
            title: "What goes",
            columns: [
                .init(title: "Record name"), .init(title: "Goes along"), .init(title: "Kept by"),
            ], empty: "")
        for record in picked {
            let info = try await call.operations.run(
                RecordOperations.show, spot.arguments.with("recordName", .string(record.name)))
            let keepers = info.referrers.filter { $0.kind == .validate }.map(\.recordName)
            sheet.rows.append([
                .name(record.name, link: spot.record(record.name)),
                Sheet.Cell(info.goesAlong.joined(separator: ", "), isWhole: true),
                Sheet.Cell(keepers.joined(separator: ", "), isWhole: true),
            ])
        }
        let count = picked.count == 1 ? "1 record" : "\(picked.count) records"
        let deletion = SheetsContent.Button(
            label: "Delete \(count)" + (spot.place.environment == .production ? " in production" : ""),
            path: "/console/records",
            fields: spot.hidden + spot.query.hidden + [("type", type), ("do", "delete")].map(FilledField.init)
                + picked.map { FilledField(name: "pick", value: $0.text) },
            isDanger: true)
        let keep = PageLink(label: "Keep", address: spot.address(type: type, query: spot.query))
        return try call.render(
            SheetsContent(now: call.now, sheets: [sheet], links: [keep], buttons: [deletion]),
            title: "Delete \(count)?", view: .data,
            place: spot.place)
    }

    /// The record members that set the new value.
    private static func members(
        _ call: ConsoleCall, _ spot: DataSpot, _ type: String
    ) async throws -> [JSONObject.Member] {
        let name = try call.form.text("set")
        guard let declared = try await call.schema(of: spot.place).types[type]?.fields[name]?.type else {
            throw ServerError.badRequest("'\(Naming.shown(type))' has no field '\(Naming.shown(name))'")
        }
        let value = try WireText.value(FormFields.lines(call.form["to"] ?? ""), declared, field: name)
        return [
            .init(key: "recordType", value: .string(type)),
            .init(key: "fields", value: .object(JSONObject([WireText.field(name, value, declared)]))),
        ]
    }
}

/// The outcomes of a bulk change, record by record.
struct ModifiedSheet {
    let spot: DataSpot
    let type: String

    /// Changes each record independently. The answer leads back to the table, or lists the refused changes.
    func answer(_ call: ConsoleCall, _ operations: [JSONValue]) async throws -> Response {
        let outcomes = try await call.operations.run(
            RecordOperations.modify,
            spot.arguments.with("operations", .array(operations)).with("atomic", .bool(false))
        ).records
        let refused = outcomes.filter { $0.object?["serverErrorCode"] != nil }
        guard !refused.isEmpty else { return .seeOther(spot.address(type: type, query: spot.query)) }
        let sheet = Sheet(
            title: "Refused", note: "\(outcomes.count - refused.count) of \(outcomes.count) are done",
            columns: [.init(title: "Record name"), .init(title: "Outcome"), .init(title: "Reason")],
            rows: refused.map {
                let (name, code) = ($0.object?["recordName"]?.string ?? "", $0.object?["serverErrorCode"]?.string)
                return [
                    .name(name, link: code == ServerError.Code.notFound.rawValue ? nil : spot.record(name)),
                    Sheet.Cell(code ?? "", badge: "bad"),
                    Sheet.Cell($0.object?["reason"]?.string ?? "", isWhole: true),
                ]
            }, empty: "")
        let back = PageLink(label: "Back", address: spot.address(type: type, query: spot.query))
        return try call.render(
            SheetsContent(now: call.now, sheets: [sheet], links: [back]), title: "Not all were changed", view: .data,
            place: spot.place, status: .conflict)
    }
}
