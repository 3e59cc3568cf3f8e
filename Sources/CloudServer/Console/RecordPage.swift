import CloudModel
import CloudOperations
import CloudStore
import Hummingbird

/// The page of one record, or of one that is to be made.
struct RecordPage {
    let call: ConsoleCall
    let spot: DataSpot
    /// Nil for a new record.
    private let name: String?
    private let type: String
    /// The form that was not saved; nil on a page that is opened.
    private let change: RecordChange?
    /// The reason why it was not, beside those of fields.
    var problem: String?
    /// What would come of it.
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
        var content: [String: Any]
        var problem = problem
        do {
            content = if let name { try await stored(name) } else { try await new() }
        } catch let error as ServerError where error.code == .notFound && change?.isDeletion == false {
            // Nothing typed is lost: it can be saved as a record of its own.
            problem = "The record has been deleted meanwhile. Saving makes it anew, of what stands here."
            content = try await new()
        }
        if !faults.isEmpty {
            problem =
                faults.count == 1
                ? "Nothing was saved: one field is wrong." : "Nothing was saved: \(faults.count) fields are wrong."
        }
        content["problem"] = problem
        content["verdict"] = verdict.map {
            PageContent(["text": $0.verdict, "kind": $0.isRefused ? "bad" : "good", "json": WireText.lines($0.answer)])
        }
        content["database"] = spot.description
        if spot.user != nil { content["isPrivate"] = true }
        return try call.render(
            "console-record", name ?? "New \(type)", view: .data, place: spot.place, content,
            status: problem == nil ? .ok : .badRequest)
    }

    /// The form of a new record.
    private func new() async throws -> [String: Any] {
        guard let definition = try await call.schema(of: spot.place).types[type] else {
            throw ServerError(.notFound, "there is no record type '\(Naming.shown(type))'", .schema(.unknownType))
        }
        return [
            "heading": "New record", "type": type, "back": spot.address(type: type), "naming": change?.name ?? "",
            "fields": fields(definition, of: nil, .none),
            "hidden": spot.hidden + [PageContent.field("type", type)],
        ]
    }

    /// A record that is there, and what is around it.
    private func stored(_ name: String) async throws -> [String: Any] {
        let info = try await call.operations.run(
            RecordOperations.show, spot.arguments.with("recordName", .string(name)))
        let record = info.record.object ?? JSONObject()
        let type = record["recordType"]?.string ?? ""
        let definition = try await call.schema(of: spot.place).types[type]
        let tag = change?.tag ?? record["recordChangeTag"]?.string ?? ""
        var content = RecordContext(spot: spot, info: info, grants: definition?.grants ?? Grants([:])).content
        content["heading"] = name
        content["type"] = type
        content["back"] = spot.address(type: type)
        content["tag"] = tag
        content["fields"] = fields(definition, of: record, try RecordFiles(call, spot.place, info.assets))
        content["hidden"] = spot.hidden + [("name", name), ("type", type), ("tag", tag)].map(PageContent.field)
        return content
    }

    /// What stands in the fields instead of what is stored: the form that was not saved, or what the address says.
    private var given: FormFields? {
        if let change { return change.isDeletion ? nil : call.form }
        return call.query.names.contains { $0.hasPrefix("f.") } ? call.query : nil
    }

    private func fields(_ definition: TypeDefinition?, of record: JSONObject?, _ files: RecordFiles) -> [PageContent] {
        RecordFields(definition, at: spot, call.operations.workplace.limits).contents(
            of: record, files: files, given: given, faults: faults)
    }
}
