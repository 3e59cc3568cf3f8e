import CloudAccounts
import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/sign-in`: the providers that people sign in at.
enum ProvidersView {
    static let show: ConsoleEndpoint = { try await page($0) }

    static let change: ConsoleEndpoint = { call in
        do {
            switch call.form["do"] {
            case "add": _ = try await call.operations.run(ProviderOperations.add, try arguments(call))
            case "change": _ = try await call.operations.run(ProviderOperations.update, try arguments(call))
            case "remove": _ = try await call.operations.run(ProviderOperations.remove, try choice(call))
            case "test":
                return try await page(
                    call, tested: try await call.operations.run(ProviderOperations.test, try choice(call)))
            default: throw ServerError.unknownAction
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
        return .seeOther(ConsoleView.signIn.path)
    }

    private static func choice(_ call: ConsoleCall) throws -> Arguments {
        ["name": .string(try call.form.text("name"))]
    }

    /// The filled fields of a form. Lists have an item in each line.
    private static func arguments(_ call: ConsoleCall) throws -> Arguments {
        var arguments = try choice(call)
        for name in ["kind", "title", "issuer", "clientID", "secret", "admission", "team", "keyID"] {
            arguments[name] = call.form.filled(name).map { JSONValue.string(withoutEnds($0)) }
        }
        for name in ["admitted", "tenants", "roles"] {
            guard let text = call.form.filled(name) else { continue }
            let items = text.split(whereSeparator: \.isNewline).map { withoutEnds(String($0)) }.filter { !$0.isEmpty }
            arguments[name] = .array(items.map(JSONValue.string))
        }
        return arguments
    }

    private static func withoutEnds(_ text: String) -> String {
        let body = text.drop(while: \.isWhitespace)
        guard let last = body.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(body[...last])
    }

    private static func page(
        _ call: ConsoleCall, tested: ProviderTestInfo? = nil, problem: String? = nil
    ) async throws -> Response {
        let providers = try await call.operations.run(
            ProviderOperations.list, ["after": call.query.filled("after").map(JSONValue.string)])
        let forms = [addition] + (providers.items.isEmpty ? [] : [change(providers.items)])
        let content = SheetsContent(
            now: call.now, sheets: [tested.map(steps), sheet(providers)].compactMap(\.self), links: forms.map(\.link),
            problem: problem, forms: forms)
        return try call.render(
            content, title: ConsoleView.signIn.title, view: .signIn, place: try await call.place(of: call.query),
            status: problem == nil ? .ok : .badRequest)
    }

    private static func sheet(_ providers: Page<ProviderInfo>) -> Sheet {
        let action = { (name: String, label: String, provider: ProviderInfo) in
            Sheet.Cell("", action: Sheet.Action(label: label, fields: [("do", name), ("name", provider.name)]))
        }
        return Sheet(
            title: "Providers",
            columns: [
                .init(title: "Name"), .init(title: "Button"), .init(title: "Kind"), .init(title: "Issuer"),
                .init(title: "Who may come in"), .init(title: "Roles"), .init(title: "Redirect path"),
                .init(title: "Test"),
                .init(title: "Remove"),
            ],
            rows: providers.items.map {
                [
                    .name($0.name), Sheet.Cell($0.title), Sheet.Cell($0.kind.rawValue), .name($0.issuer),
                    Sheet.Cell($0.admits), Sheet.Cell($0.roles.joined(separator: ", ")), .name($0.redirectPath),
                    action("test", "Test", $0),
                    action("remove", "Remove", $0),
                ]
            }, empty: "People sign in with a password. A provider lets them sign in with an account they have.",
            next: providers.next.map { ConsoleAddress.make(ConsoleView.signIn.path, [("after", $0)]) })
    }

    private static func steps(_ test: ProviderTestInfo) -> Sheet {
        Sheet(
            title: "Test of \(test.name)",
            columns: [
                .init(title: "Step"), .init(title: "State"), .init(title: "What was found"), .init(title: "What to do"),
            ],
            rows: test.steps.map {
                [
                    Sheet.Cell($0.name), Sheet.Cell($0.outcome.rawValue, badge: badge($0.outcome)),
                    Sheet.Cell($0.text, isWhole: true), Sheet.Cell($0.remedy ?? "", isWhole: true),
                ]
            }, empty: "This server cannot ask the provider.")
    }

    private static func badge(_ outcome: ProviderStep.Outcome) -> String {
        switch outcome {
        case .good: "good"
        case .wrong: "bad"
        case .unknown: "warn"
        }
    }

    private static var addition: ConsoleForm {
        ConsoleForm(
            title: "New provider", path: ConsoleView.signIn.path, button: "Add the provider", action: "add",
            fields: [
                .init(\NewProvider.name, hint: "a-z, 0-9 and -"), .init(\NewProvider.kind),
                .init(\NewProvider.clientID, "Client id"),
                .init(\NewProvider.options.title, "Text of the button"),
                .init(\NewProvider.options.issuer, hint: "not for Google, Microsoft, Apple and GitHub"),
                .init(\NewProvider.options.team, "Apple's team id"),
                .init(\NewProvider.options.keyID, "Apple's key id"),
                .init(\NewProvider.secret, "Client secret", .area(rows: 3), hint: "or the text of Apple's .p8 file"),
                .init(\NewProvider.options.tenants, "Microsoft's tenants", .area(rows: 2), hint: "an id in each line"),
            ], note: "The secret is not shown again.")
    }

    private static func change(_ providers: [ProviderInfo]) -> ConsoleForm {
        let rules = ["", "everybody", "domains", "groups", "invited", "nobody"]
        return ConsoleForm(
            title: "Change a provider", path: ConsoleView.signIn.path, button: "Change the provider", action: "change",
            fields: [
                .init(\ProviderChange.name, nil, .choice(providers.map(\.name))),
                .init(
                    \ProviderChange.options.admission, "Who may come in",
                    .menu(rules.map { ($0, $0.isEmpty ? "as before" : $0) })),
                .init(\ProviderChange.options.title, "Text of the button"),
                .init(
                    \ProviderChange.options.admitted, "Domains or groups", .area(rows: 2), hint: "one in each line"),
                .init(
                    \ProviderChange.options.roles, "Roles of groups", .area(rows: 2),
                    hint: "GROUP=operator/viewer or GROUP=CONTAINER/ENVIRONMENT/ROLE, one in each line; - for none"),
                .init(\ProviderChange.secret, "Another client secret", .area(rows: 3)),
            ], note: "What is left empty stays.")
    }
}
