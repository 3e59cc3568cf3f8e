import CloudModel
import CloudOperations
import Hummingbird

/// `/console/act-as`: any query or save as anybody, dry.
enum ActAsView {
    private static let example = """
        {
          "query": {"recordType": "Note"}
        }
        """

    static let show: ConsoleEndpoint = { call in
        try page(call, try await call.requirePlace(), call.query, [:])
    }

    static let run: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        do {
            return try page(call, place, call.form, try await result(call, place))
        } catch let error as ServerError where [.badRequest, .notFound].contains(error.code) {
            return try page(call, place, call.form, ["problem": error.pageText], status: .badRequest)
        }
    }

    private static func result(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> [String: Any] {
        let form = call.form
        let (who, id) = (form["as"] ?? "nobody", form["who"].flatMap { $0.isEmpty ? nil : $0 })
        if who != "nobody", id == nil {
            throw ServerError.badRequest("say who: an address, a record name or a key's id")
        }
        var arguments = place.arguments([
            "operation": form["operation"], "database": form["database"], "user": who == "user" ? id : nil,
            "key": who == "key" ? id : nil,
        ])
        do {
            arguments["body"] = try JSONParser.parse(Array((form["body"] ?? "").utf8))
        } catch {
            throw ServerError.badRequest("the body is no JSON")
        }
        let info = try await call.operations.run(RehearsalOperations.run, arguments)
        return [
            "verdict": PageContent([
                "text": info.verdict, "kind": info.isRefused ? "bad" : "good", "json": WireText.lines(info.answer),
                "status": "\(info.status)",
            ]),
            "sheets": ([trail(info)] + (info.operations.isEmpty ? [] : [operations(info)]))
                .map { $0.content(form: call.guarded.value) },
        ]
    }

    private static func page(
        _ call: ConsoleCall, _ place: ConsolePlace, _ given: FormFields, _ more: [String: Any],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let choices = { (name: String, values: [(String, String)]) -> [PageContent] in
            values.map { value, label in
                var content: [String: Any] = ["value": value, "label": label]
                if given[name] == value { content["isChosen"] = true }
                return PageContent(content)
            }
        }
        var content: [String: Any] = [
            "hidden": [("container", place.container), ("environment", place.environment.rawValue)]
                .map(PageContent.field),
            "callers": choices("as", [("user", "user"), ("key", "server key"), ("nobody", "nobody")]),
            "databases": choices("database", DatabaseScope.allCases.map { ($0.rawValue, $0.rawValue) }),
            "operations": choices(
                "operation",
                [("records/query", "query"), ("records/modify", "save or delete"), ("records/lookup", "look up")]),
            "who": given["who"] ?? "", "body": given["body"] ?? example,
        ]
        content.merge(more) { $1 }
        return try call.render("console-act-as", "Act as", view: .actAs, place: place, content, status: status)
    }

    private static func trail(_ info: RehearsalInfo) -> Sheet {
        Sheet(
            title: "Decisions",
            columns: [.init(title: "About"), .init(title: "Outcome"), .init(title: "What decided")],
            rows: info.trail.map {
                [
                    Sheet.Cell($0.step), Sheet.Cell($0.outcome, badge: $0.outcome == "passed" ? "good" : "bad"),
                    Sheet.Cell($0.text, isWhole: true),
                ]
            }, empty: "Nothing had to be decided.")
    }

    private static func operations(_ info: RehearsalInfo) -> Sheet {
        Sheet(
            title: "Operations",
            columns: [
                .init(title: "Index", isNumber: true), .init(title: "Record"), .init(title: "Outcome"),
                .init(title: "Reason"),
            ],
            rows: info.operations.map {
                [
                    .number($0.index), .name($0.recordName ?? ""),
                    Sheet.Cell($0.serverErrorCode ?? "done", badge: $0.serverErrorCode == nil ? "good" : "bad"),
                    Sheet.Cell($0.reason ?? "", isWhole: true),
                ]
            }, empty: "")
    }
}
