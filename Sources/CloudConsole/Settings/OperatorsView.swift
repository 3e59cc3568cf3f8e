import CloudAccounts
import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/settings/operators`: operators and their roles.
enum OperatorsView {
    static let show: ConsoleEndpoint = { try await page($0) }

    static let change: ConsoleEndpoint = { call in
        do {
            let email = JSONValue.string(try call.form.text("email"))
            let role = call.form["role"].map(JSONValue.string)
            switch call.form["do"] {
            case "add":
                return try await page(
                    call, made: try await call.operations.run(OperatorOperations.add, ["email": email, "role": role]))
            case "reset":
                return try await page(
                    call, made: try await call.operations.run(OperatorOperations.resetSecondFactor, ["email": email]))
            case "role": _ = try await call.operations.run(OperatorOperations.setRole, ["email": email, "role": role])
            case "remove": _ = try await call.operations.run(OperatorOperations.remove, ["email": email])
            default: throw ServerError.unknownAction
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
        return .seeOther(SettingsTab.operators.path)
    }

    /// - Parameter made: the operator with a new enrolment code.
    private static func page(
        _ call: ConsoleCall, made: OperatorInfo? = nil, problem: String? = nil
    ) async throws -> Response {
        let secret = made.flatMap { made in
            made.enrolmentCode.map {
                SheetsContent.Secret(
                    label: "Code with which \(made.name) sets up the authenticator app within a week.", value: $0)
            }
        }
        let operators = try await call.operations.run(
            OperatorOperations.list, ["after": call.query.filled("after").map(JSONValue.string)])
        let sheet = Sheet(
            title: "Operators",
            columns: [
                .init(title: "Address"), .init(title: "Role"), .init(title: "Second factor"), .init(title: "State"),
                .init(title: "App"), .init(title: "Action"),
            ],
            rows: operators.items.map {
                [
                    Sheet.Cell($0.name, link: PersonView.address($0.name)), Sheet.Cell($0.role.rawValue),
                    Sheet.Cell($0.hasSecondFactor ? "set up" : "at the first sign-in"),
                    Sheet.Cell($0.disabled ? "disabled" : "active", badge: $0.disabled ? "warn" : "good"),
                    Sheet.Cell(
                        "", action: Sheet.Action(label: "Reset", fields: [("do", "reset"), ("email", $0.name)])),
                    Sheet.Cell(
                        "", action: Sheet.Action(label: "Remove", fields: [("do", "remove"), ("email", $0.name)])),
                ]
            }, empty: "Nobody may sign in to the console yet.",
            next: operators.next.map { ConsoleAddress.make(SettingsTab.operators.path, [("after", $0)]) })
        let path = SettingsTab.operators.path
        var forms = [
            ConsoleForm(
                title: "New operator", path: path, button: "Make an operator", action: "add",
                fields: [
                    .init(\NewOperator.email, "Address of an account"), .init(\NewOperator.role),
                ],
                note: "The first sign-in sets up the authenticator app, with a code that is shown here once.")
        ]
        if !operators.items.isEmpty {
            forms.append(
                ConsoleForm(
                    title: "Another role", path: path, button: "Change the role", action: "role",
                    fields: [
                        .init(\OperatorRoleChange.email, "Address of an operator"),
                        .init(\OperatorRoleChange.role),
                    ], note: "It signs them out of the console."))
        }
        return try await call.render(.operators, sheets: [sheet], forms: forms, problem: problem, secret: secret)
    }
}
