import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// The page of an existing or new record.
struct RecordPage {
    let call: ConsoleCall
    let spot: DataSpot
    /// Nil for a new record.
    private let name: String?
    private let type: String
    /// The change that failed to save; nil on a fresh page.
    private let change: RecordChange?
    /// The reason for a failed save, apart from faults of single fields.
    var problem: String?
    /// The outcome of a rehearsed save.
    var verdict: RehearsalInfo?

    init(call: ConsoleCall, spot: DataSpot, name: String?, type: String) {
        (self.call, self.spot, self.name, self.type, change) = (call, spot, name, type, nil)
    }

    init(call: ConsoleCall, spot: DataSpot, change: RecordChange) {
        (self.call, self.spot, self.type, self.change) = (call, spot, change.type, change)
        name = change.tag == nil ? nil : change.name
    }

    private var faults: [String: String] { change?.faults ?? [:] }

    func response() async throws -> Response {
        var content: Content
        var problem = problem
        do {
            content = if let name { try await stored(name) } else { try await new() }
        } catch let error as ServerError where error.code == .notFound && change?.isDeletion == false {
            // Keeps the submitted values, which can be saved as a new record.
            problem = "The record has been deleted meanwhile. Saving makes it anew, of what stands here."
            content = try await new()
        }
        if !faults.isEmpty {
            problem =
                faults.count == 1
                ? "Nothing was saved: one field is wrong." : "Nothing was saved: \(faults.count) fields are wrong."
        }
        content.problem = problem
        content.verdict = verdict.map {
            Content.Verdict(
                kind: $0.isRefused ? "bad" : "good", text: $0.verdict, json: WireText.lines($0.answer))
        }
        return try call.render(
            content, title: name ?? "New \(type)", view: .data, place: spot.place,
            status: problem == nil ? .ok : .badRequest)
    }

    /// The form of a new record.
    private func new() async throws -> Content {
        guard let definition = try await call.schema(of: spot.place).types[type] else {
            throw ServerError(.notFound, "there is no record type '\(Naming.shown(type))'", .schema(.unknownType))
        }
        return Content(
            heading: "New record", type: type, database: try await spot.description(call),
            back: spot.address(type: type),
            isPrivate: spot.user != nil, hidden: spot.hidden + [FilledField(name: "type", value: type)],
            inputs: [FormFieldView(naming)], fields: fields(definition, of: nil, .none))
    }

    private var naming: FormField {
        FormField("name", "Record name", .code, value: change?.name ?? "", hint: "Empty for a UUID.")
    }

    /// The content for an existing record, with its context.
    private func stored(_ name: String) async throws -> Content {
        let info = try await call.operations.run(
            RecordOperations.show, spot.arguments.with("recordName", .string(name)))
        let record = info.record.object ?? JSONObject()
        let type = record["recordType"]?.string ?? ""
        let definition = try await call.schema(of: spot.place).types[type]
        let makers = ["created", "modified"].map { record[$0]?.object?["userRecordName"]?.string }
        let names = try await KnownPeople(call, makers + [spot.user, spot.owner], in: spot.place.container)
        let tag = change?.tag ?? record["recordChangeTag"]?.string ?? ""
        return Content(
            heading: name, type: type, database: spot.description(names), back: spot.address(type: type),
            isPrivate: spot.user != nil,
            hidden: spot.hidden + [("name", name), ("type", type), ("tag", tag)].map(FilledField.init), tag: tag,
            fields: fields(definition, of: record, RecordFiles(call, spot.place, info.assets)),
            context: RecordContext(
                spot: spot, info: info, grants: definition?.grants ?? Grants([:]), names: names
            ).view)
    }

    /// Field values that override the stored record, taken from a failed save's form or the address's query.
    private var given: FormFields? {
        if let change { return change.isDeletion ? nil : call.form }
        return call.query.names.contains { $0.hasPrefix("f.") } ? call.query : nil
    }

    private func fields(_ definition: TypeDefinition?, of record: JSONObject?, _ files: RecordFiles) -> [FieldView] {
        RecordFields(definition, at: spot, call.operations.workplace.limits).views(
            of: record, files: files, given: given, faults: faults)
    }
}
