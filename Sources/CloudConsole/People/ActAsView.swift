import CloudHTTP
import CloudPages
import CloudModel
import CloudOperations

/// `/console/act-as`: rehearses a query or save as any user.
enum ActAsView {
    private static let example = """
        {
          "query": {"recordType": "Note"}
        }
        """

    static let show: ConsoleEndpoint = { call in
        try page(call, try await call.requirePlace(), call.query)
    }

    static let run: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        do {
            return try page(call, place, call.form, info: try await result(call, place))
        } catch let error as ServerError where [.badRequest, .notFound].contains(error.code) {
            return try page(call, place, call.form, problem: error.pageText)
        }
    }

    private static func result(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> RehearsalInfo {
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
        return try await call.operations.run(RehearsalOperations.run, arguments)
    }

    private static func page(
        _ call: ConsoleCall, _ place: ConsolePlace, _ given: FormFields, info: RehearsalInfo? = nil,
        problem: String? = nil
    ) throws -> Response {
        let content = Content(
            problem: problem, trial: ConsoleFormView(form(place, given)),
            verdict: info.map {
                Content.Verdict(
                    status: "\($0.status)", kind: $0.isRefused ? "bad" : "good", text: $0.verdict,
                    json: WireText.lines($0.answer))
            },
            sheets: info.map { [trail($0)] + ($0.operations.isEmpty ? [] : [operations($0)]) }?.map {
                SheetView($0, now: call.now)
            } ?? [])
        return try call.render(
            content, title: "Act as", view: .actAs, place: place, status: problem == nil ? .ok : .badRequest)
    }

    private static func form(_ place: ConsolePlace, _ given: FormFields) -> ConsoleForm {
        ConsoleForm(
            title: "Try", path: ConsoleView.actAs.path, button: "Try it", hidden: place.hidden,
            fields: [
                .init(
                    "as", "As", .menu([("user", "user"), ("key", "server key"), ("nobody", "nobody")]),
                    value: given["as"] ?? ""),
                .init("who", "who is", .code, value: given["who"] ?? "").with {
                    $0.placeholder = "address, name or key"
                },
                .init(
                    \RehearsalChoice.operation, "do",
                    labels: [
                        "records/query": "query", "records/modify": "save or delete", "records/lookup": "look up",
                    ], value: given["operation"] ?? ""),
                .init(\RehearsalChoice.database, "in", value: given["database"] ?? ""),
            ],
            wide: [
                FormField(\RehearsalChoice.body, "Body of the request", .area(rows: 8), value: given["body"] ?? example)
                    .with { $0.spoken = $0.label }
            ],
            note: "Nothing is saved and nobody is told. That a user was tried stands in the audit log.")
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

extension ActAsView {
    struct Content: ConsoleContent {
        static let template = "console-act-as"

        let problem: String?
        let trial: ConsoleFormView
        /// The rehearsal's outcome; nil before the form is sent.
        let verdict: Verdict?
        let sheets: [SheetView]

        init(problem: String?, trial: ConsoleFormView, verdict: Verdict?, sheets: [SheetView]) {
            self.problem = problem
            self.trial = trial
            self.verdict = verdict
            self.sheets = sheets
        }

        struct Verdict: PageView {
            let status: String
            let kind: String
            let text: String
            let json: String
        }
    }
}
