import CloudAccounts
import CloudHTTP
import CloudModel
import CloudOperations
import CloudPages
import Foundation

/// `/console/settings/credentials`: creates and revokes tokens and keys.
enum CredentialsView {
    static let show: ConsoleEndpoint = { try await page($0) }

    /// Creates or revokes a credential. A new credential's text appears once, on the answered page.
    static let change: ConsoleEndpoint = { call in
        do {
            switch call.form["do"] {
            case "token":
                let made = try await call.operations.run(APITokenOperations.create, try apiToken(call.form))
                return try await page(call, secret: secret("API token '\(made.name)'.", made.token))
            case "management-token":
                let made = try await call.operations.run(
                    ManagementTokenOperations.create, try managementToken(call.form))
                return try await page(call, secret: secret("Management token '\(made.name)'.", made.token))
            case "key": _ = try await call.operations.run(ServerKeyOperations.add, serverKey(call.form))
            case "revoke-management-token": return try await revokeManagementToken(call)
            default: try await revoke(call)
            }
        } catch let error as ServerError where error.isAboutForm {
            return try await page(call, problem: error.pageText)
        }
        return .seeOther(SettingsTab.credentials.path)
    }

    private static func revoke(_ call: ConsoleCall) async throws {
        let id = call.form["id"] ?? ""
        let number: Arguments = ["id": Int64(id).map(JSONValue.integer)]
        switch call.form["do"] {
        case "revoke-token": _ = try await call.operations.run(APITokenOperations.revoke, number)
        case "revoke-key": _ = try await call.operations.run(ServerKeyOperations.revoke, ["keyID": .string(id)])
        default: throw ServerError.unknownAction
        }
    }

    /// Revokes a management token. If credentials were created with the token, the answered page lists them.
    private static func revokeManagementToken(_ call: ConsoleCall) async throws -> Response {
        let id = call.form["id"] ?? ""
        let isDeep = call.form["made"] != nil
        let outcome = try await call.operations.run(
            ManagementTokenOperations.revoke,
            ["id": Int64(id).map(JSONValue.integer), "made": isDeep ? JSONValue.bool(true) : nil])
        guard outcome.count > 0, !outcome.areRevoked else { return .seeOther(SettingsTab.credentials.path) }
        let made =
            outcome.made.map { "\($0.kind.rawValue) \($0.name)" } + (outcome.count > outcome.made.count ? ["…"] : [])
        let form = ConsoleForm(
            title: "What it has made", path: SettingsTab.credentials.path, button: "Revoke what it made",
            action: "revoke-management-token", hidden: [("id", id), ("made", "true")].map(FilledField.init),
            note: made.joined(separator: ", "))
        return try await page(
            call, remark: "Management token \(id) is revoked. It has made what is still good, listed below.",
            first: [form])
    }

    private static func apiToken(_ form: FormFields) throws -> Arguments {
        [
            "container": .string(try form.text("container")), "environment": .string(try form.text("environment")),
            "name": .string(try form.text("name")),
            "allowedOrigins": words(form["origins"]),
            "signInCallback": form.filled("signInCallback").map(JSONValue.string),
            "audiences": words(form["audiences"]),
        ]
    }

    private static func words(_ text: String?) -> JSONValue {
        .array(FormFields.lines(text ?? "").split(whereSeparator: \.isWhitespace).map { .string(String($0)) })
    }

    private static func serverKey(_ form: FormFields) throws -> Arguments {
        [
            "container": .string(try form.text("container")), "environment": .string(try form.text("environment")),
            "name": .string(try form.text("name")),
            "publicKey": .string(FormFields.lines(try form.text("publicKey", atMost: 4096))),
        ]
    }

    private static func managementToken(_ form: FormFields) throws -> Arguments {
        let scopes = form.all("scopes")
        guard !scopes.isEmpty else { throw ServerError.badRequest("choose at least one scope") }
        let days = form.filled("days")
        let number = days.flatMap { Int64($0) }
        if days != nil, number == nil { throw ServerError.badRequest("days must be a whole number") }
        return [
            "name": .string(try form.text("name")), "container": form.filled("container").map(JSONValue.string),
            "scopes": .array(scopes.map(JSONValue.string)), "days": number.map(JSONValue.integer),
        ]
    }

    private static func secret(_ label: String, _ text: String?) -> SheetsContent.Secret? {
        text.map { SheetsContent.Secret(label: label, value: $0) }
    }

    private static func page(
        _ call: ConsoleCall, secret: SheetsContent.Secret? = nil, problem: String? = nil, remark: String? = nil,
        first: [ConsoleForm] = []
    ) async throws -> Response {
        var sheets: [Sheet] = []
        func add<Input, Item>(
            _ name: String, _ list: AdminOperation<Input, Page<Item>>, _ sheet: ([Item]) -> Sheet
        ) async throws {
            let page = try await call.operations.run(
                list, ["after": call.query.filled(name).map(JSONValue.string)])
            sheets.append(sheet(page.items))
            sheets[sheets.count - 1].next = page.next.map {
                ConsoleAddress.make(SettingsTab.credentials.path, [(name, $0)])
            }
        }
        try await add("tokens", APITokenOperations.list, CredentialSheets.apiTokens)
        try await add("keys", ServerKeyOperations.list, CredentialSheets.serverKeys)
        try await add("managers", ManagementTokenOperations.list, CredentialSheets.managementTokens)
        return try await call.render(
            .credentials, sheets: sheets, forms: first + (try await forms(call)), problem: problem, secret: secret,
            remark: remark)
    }

    private static func forms(_ call: ConsoleCall) async throws -> [ConsoleForm] {
        let path = SettingsTab.credentials.path
        let hasContainer = try await call.containers().names.isEmpty == false
        let place: [FormField] = [
            try await call.containerField(),
            .init(\NewAPIToken.place.environment),
        ]
        let name = FormField(\NewAPIToken.name)
        let ofApps =
            !hasContainer
            ? []
            : [
                ConsoleForm(
                    title: "New API token", path: path, button: "Make the token", action: "token",
                    fields: place + [
                        name, .init("origins", "Origins", .area, hint: "One a line; without one any page may use it."),
                        .init(
                            \NewAPIToken.signInCallback, "Sign-in callback",
                            hint: "Where people come back after signing in."),
                        .init(
                            "audiences", "Audiences", .area,
                            hint: "Client ids and bundle ids of the app, one a line, for sign-in by identity token."),
                    ]),
                ConsoleForm(
                    title: "New server key", path: path, button: "Add the key", action: "key",
                    fields: place + [
                        name, .init(\NewServerKey.publicKey, nil, .area, hint: "In PEM form."),
                    ]),
            ]
        return ofApps + [
            ConsoleForm(
                title: "New management token", path: path, button: "Make the token", action: "management-token",
                fields: [
                    name, try await call.containerField(isRequired: false, hint: "Empty for all."),
                    .init(\NewManagementToken.scopes),
                    .init(\NewManagementToken.days, hint: "Until it expires; empty for never."),
                ])
        ]
    }
}
