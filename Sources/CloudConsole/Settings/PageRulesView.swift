import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/settings/pages`: the public records with a page under `/share/`.
enum PageRulesView {
    private static let longestRule = 16_384
    private static let example = #"{"recordType": "Note", "title": "{title}", "lines": ["{text}"]}"#

    static let show: ConsoleEndpoint = { try await page($0, rule: example) }

    static let change: ConsoleEndpoint = { call in
        let rule = FormFields.lines(call.form["rule"] ?? "")
        do {
            let container = JSONValue.string(try call.form.text("container"))
            switch call.form["do"] {
            case "set":
                guard rule.utf8.count <= longestRule else {
                    throw ServerError.badRequest(
                        "rule has \(rule.utf8.count) bytes, at most \(longestRule) are allowed", .limit(longestRule))
                }
                let json = try parsed(rule)
                _ = try await call.operations.run(PageRuleOperations.set, ["container": container, "rule": json])
            case "remove":
                _ = try await call.operations.run(
                    PageRuleOperations.remove,
                    ["container": container, "recordType": .string(try call.form.text("recordType"))])
            default: throw ServerError.unknownAction
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, rule: rule, problem: error.pageText)
        }
        return .seeOther(SettingsTab.pages.path)
    }

    private static func parsed(_ rule: String) throws(ServerError) -> JSONValue {
        do { return try JSONParser.parse(Array(rule.utf8)) } catch {
            throw .badRequest("rule is no JSON: \(known: error.reason)")
        }
    }

    private static func page(_ call: ConsoleCall, rule: String, problem: String? = nil) async throws -> Response {
        let page = try await call.operations.run(
            PageRuleOperations.list, ["after": call.query.filled("after").map(JSONValue.string)])
        let sheet = Sheet(
            title: "Pages of public records",
            columns: [
                .init(title: "Container"), .init(title: "Record type"), .init(title: "Title"), .init(title: "Rule"),
                .init(title: "Action"),
            ],
            rows: page.items.map {
                [
                    .name($0.container), .name($0.recordType), Sheet.Cell($0.title), .name(WireText.json($0.rule)),
                    Sheet.Cell(
                        "",
                        action: Sheet.Action(
                            label: "Remove",
                            fields: [("do", "remove"), ("container", $0.container), ("recordType", $0.recordType)])),
                ]
            }, empty: "No public record has a page yet.",
            next: page.next.map { ConsoleAddress.make(SettingsTab.pages.path, [("after", $0)]) })
        let hasContainer = try await call.containers().names.isEmpty == false
        let form = ConsoleForm(
            title: "A page for a record type", path: SettingsTab.pages.path, button: "Set the page", action: "set",
            fields: [
                try await call.containerField(value: call.form["container"] ?? ""),
                .init(\NewPageRule.rule, value: rule, hint: "JSON, as docs/share-pages.md has it."),
            ], note: "It takes the place of the page that the type has.")
        return try await call.render(
            .pages, sheets: [sheet], forms: hasContainer ? [form] : [], problem: problem)
    }
}
