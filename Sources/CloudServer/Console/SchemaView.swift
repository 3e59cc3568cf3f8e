import CloudModel
import CloudOperations
import CloudStore
import Hummingbird

/// `/console/schema`: the types of an environment with their fields, and the text that describes them.
enum SchemaView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let administration = try await call.operations.administration(
            container: place.container, environment: place.environment)
        let text = try await administration.schemaText().text
        let schema = try SchemaParser.parse(text)
        let builds = try await administration.builds()
        var content: [String: Any] = ["text": text, "deploy": place.address("/console/deploy")]
        if !builds.isEmpty {
            content["builds"] = builds.map { "\($0.type): \($0.state.rawValue), \($0.done) of \($0.total) records" }
        }
        let sheets = schema.types.sorted { $0.key < $1.key }.map { sheet($0.key, $0.value, place) }
        content["sheets"] = sheets.map { $0.content(form: call.guarded.value) }
        return try call.render("console-schema", "Schema", view: .schema, place: place, content)
    }

    private static func sheet(_ name: String, _ type: TypeDefinition, _ place: ConsolePlace) -> Sheet {
        let grants = type.grants.permissions.sorted { $0.key < $1.key }.map { role, permissions in
            "\(role): \(Permission.allCases.filter(permissions.contains).map { $0.rawValue.lowercased() }.joined(separator: ", "))"
        }
        return Sheet(
            title: name, note: grants.joined(separator: "; "),
            columns: [.init(title: "Field"), .init(title: "Type"), .init(title: "Indexes")],
            rows: type.fields.sorted { $0.key < $1.key }.map { name, field in
                [
                    .name(name), .name(field.type.name),
                    Sheet.Cell(
                        IndexKind.allCases.filter(field.indexes.contains).map { $0.rawValue.lowercased() }
                            .joined(separator: ", "), isWhole: true),
                ]
            }, empty: "This type has no fields of its own.")
    }
}

/// `/console/deploy`: the difference between development and production, and the way there.
enum DeployView {
    static let show: ConsoleEndpoint = { call in
        try await page(call, place: try await call.requirePlace())
    }

    static let deploy: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        guard call.form["agreed"] == "yes" else {
            return try await page(call, place: place, problem: "Say that production is meant to change.")
        }
        do {
            _ = try await production(call, place).deploySchema(dryRun: false, ifTag: call.form["tag"] ?? "")
        } catch let error as ServerError where [.badRequest, .conflict].contains(error.code) {
            return try await page(call, place: place, problem: error.reason)
        }
        return .seeOther(
            ConsolePlace(container: place.container, environment: .production, containers: []).address(
                "/console/schema"))
    }

    private static func production(_ call: ConsoleCall, _ place: ConsolePlace) async throws -> any Administration {
        try await call.operations.administration(container: place.container, environment: .production)
    }

    private static func page(
        _ call: ConsoleCall, place: ConsolePlace, problem: String? = nil
    ) async throws -> Response {
        var content: [String: Any] = [
            "back": place.address("/console/schema"),
            "hidden": [("container", place.container), ("environment", place.environment.rawValue)]
                .map(PageContent.field),
        ]
        content["problem"] = problem
        do {
            let outcome = try await production(call, place).deploySchema(dryRun: true, ifTag: nil)
            content["steps"] = outcome.steps.flatMap { $0.text.split(separator: "\n") }.map { line in
                PageContent([
                    "text": String(line), "kind": line.hasPrefix("-") ? "bad" : line.hasPrefix("+") ? "good" : "warn",
                ])
            }
            if outcome.steps.isEmpty {
                content["isSame"] = true
            } else {
                content["change"] = PageContent(["tag": outcome.tag ?? "", "count": "\(outcome.steps.count)"])
            }
        } catch let error as ServerError where error.code == .badRequest {
            content["problem"] = error.reason
        }
        return try call.render(
            "console-deploy", "Deploy", view: .schema, place: place, content, status: problem == nil ? .ok : .badRequest
        )
    }
}
