import CloudModel
import CloudOperations
import CloudStore
import Hummingbird

/// `/console/record`: one record with its fields, what refers to it, and what the system knows of it.
enum RecordView {
    static let show: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.query)
        return try await page(call, spot, name: try call.query.text("name"))
    }

    /// Saves the fields that were changed, or deletes the record, if it still has the tag that the form was made with.
    static let save: ConsoleEndpoint = { call in
        let spot = DataSpot(place: try await call.requirePlace(), query: call.form)
        let change = try await RecordChange(call: call, spot: spot)
        guard let operation = try change.operation() else { return .seeOther(spot.record(change.name)) }
        let outcome = try await call.operations.run(
            RecordOperations.modify, spot.arguments.with("operations", .array([operation]))
        ).records.first?.object
        switch outcome?["serverErrorCode"]?.string {
        case nil:
            return .seeOther(change.isDeletion ? spot.address(type: change.type) : spot.record(change.name))
        case ServerError.Code.conflict.rawValue? where !change.isDeletion:
            return try await RecordConflict(call: call, spot: spot, change: change).page()
        default:
            return try await page(call, spot, name: change.name, problem: outcome?["reason"]?.string)
        }
    }

    private static func page(
        _ call: ConsoleCall, _ spot: DataSpot, name: String, problem: String? = nil
    ) async throws -> Response {
        let info = try await call.operations.run(
            RecordOperations.show, spot.arguments.with("recordName", .string(name)))
        let record = info.record.object ?? JSONObject()
        let type = record["recordType"]?.string ?? ""
        let definition = try await call.schema(of: spot.place).types[type]
        let fields = RecordFields(definition)
        var content: [String: Any] = [
            "name": name, "type": type, "back": spot.address(type: type), "database": spot.description,
            "tag": record["recordChangeTag"]?.string ?? "", "fields": fields.contents(of: record),
            "hidden": spot.hidden
                + [("name", name), ("type", type), ("tag", record["recordChangeTag"]?.string ?? "")]
                .map(PageContent.field),
            "facts": facts(info, record, spot), "json": WireText.lines(info.record),
            "referrers": info.referrers.map { referrer($0, spot) }, "goesAlong": info.goesAlong,
            "seers": RecordReaders(spot: spot, grants: definition?.grants ?? Grants([:]), share: info.share).rows,
        ]
        content["problem"] = problem
        if spot.user != nil { content["isPrivate"] = true }
        if info.referrers.isEmpty { content["hasNoReferrers"] = true }
        if !info.goesAlong.isEmpty { content["alongside"] = alongside(info.goesAlong.count) }
        content["share"] = info.share.map {
            PageContent(["address": "/share/\(PercentEncoding.encode($0.shortGUID))"])
        }
        return try call.render(
            "console-record", name, view: .data, place: spot.place, content, status: problem == nil ? .ok : .badRequest)
    }

    private static func referrer(_ referrer: ReferrerInfo, _ spot: DataSpot) -> PageContent {
        let effect =
            switch referrer.kind {
            case .deleteSelf: "goes along"
            case .validate: "keeps it"
            case .parent: "child"
            }
        return PageContent([
            "name": referrer.recordName, "type": referrer.recordType, "effect": effect,
            "address": spot.record(referrer.recordName),
        ])
    }

    private static func alongside(_ count: Int) -> String {
        let most = RecordOperations.mostSurroundings
        return switch count {
        case 1: "One record goes along, since it refers to this one:"
        case most...: "At least \(most) records go along, since they refer to this one:"
        default: "\(count) records go along, since they refer to this one:"
        }
    }

    private static func feed(_ laterChanges: Int?) -> String? {
        let most = RecordOperations.mostSurroundings
        guard let laterChanges else { return nil }
        return switch laterChanges {
        case 0: "the last change of its zone"
        case 1: "1 record of its zone changed since"
        case most...: "at least \(most) records of its zone changed since"
        default: "\(laterChanges) records of its zone changed since"
        }
    }

    private static func facts(_ info: RecordInfo, _ record: JSONObject, _ spot: DataSpot) -> [PageContent] {
        let stamp = { (key: String) -> String in
            let stamp = record[key]?.object
            let time = Sheet.Cell.time(stamp?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))).text
            return "\(time) by \(stamp?["userRecordName"]?.string ?? "somebody")"
        }
        let facts: [(String, String?)] = [
            ("Record name", record["recordName"]?.string), ("Type", record["recordType"]?.string),
            ("Zone", spot.zone), ("Change tag", record["recordChangeTag"]?.string), ("Created", stamp("created")),
            ("Modified", stamp("modified")), ("Parent", record["parent"]?.object?["recordName"]?.string),
            ("In the feed", feed(info.laterChanges)), ("Short GUID", record["shortGUID"]?.string),
        ]
        return facts.compactMap { title, value in value.map { PageContent(["title": title, "value": $0]) } }
    }
}

extension PageContent {
    /// A hidden field of a form.
    static func field(_ name: String, _ value: String) -> PageContent { PageContent(["name": name, "value": value]) }
}

extension Arguments {
    func with(_ name: String, _ value: JSONValue) -> Arguments {
        var arguments = self
        arguments[name] = value
        return arguments
    }
}
