import CloudModel
import CloudOperations
import CloudStore
import Foundation
import Hummingbird

/// `/console/settings/credentials`: tokens and keys of apps and of operators' programs, made and revoked.
enum CredentialsView {
    static let show: ConsoleEndpoint = { try await page($0) }

    /// Makes or revokes a credential. The text of a new one is on the page that answers, and nowhere else.
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
        case "revoke-management-token":
            _ = try await call.operations.run(ManagementTokenOperations.revoke, number)
        default: throw ServerError.unknownAction
        }
    }

    private static func apiToken(_ form: FormFields) throws -> Arguments {
        [
            "container": .string(try form.text("container")), "environment": .string(try form.text("environment")),
            "name": .string(try form.text("name")),
            "allowedOrigins": .array(
                FormFields.lines(form["origins"] ?? "").split(whereSeparator: \.isWhitespace).map {
                    .string(String($0))
                }),
            "signInCallback": form.filled("signInCallback").map(JSONValue.string),
        ]
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
        _ call: ConsoleCall, secret: SheetsContent.Secret? = nil, problem: String? = nil
    ) async throws -> Response {
        let most: Arguments = ["limit": .integer(200)]
        let tokens = try await call.operations.run(APITokenOperations.list, most).items
        let keys = try await call.operations.run(ServerKeyOperations.list, most).items
        let managers = try await call.operations.run(ManagementTokenOperations.list, most).items
        return try await call.render(
            .credentials,
            sheets: [
                CredentialSheets.apiTokens(tokens), CredentialSheets.serverKeys(keys),
                CredentialSheets.managementTokens(managers),
            ], forms: try await forms(call), problem: problem, secret: secret)
    }

    private static func forms(_ call: ConsoleCall) async throws -> [ConsoleForm] {
        let path = SettingsTab.credentials.path
        let containers = try await call.containers()
        let place: [ConsoleForm.Field] = [
            .init("container", "Container", .choice(containers)),
            .init("environment", "Environment", .choice(ContainerEnvironment.allCases.map(\.rawValue))),
        ]
        let name = ConsoleForm.Field("name", "Name", isRequired: true)
        let ofApps =
            containers.isEmpty
            ? []
            : [
                ConsoleForm(
                    title: "New API token", path: path, button: "Make the token", action: "token",
                    fields: place + [
                        name, .init("origins", "Origins", .area, hint: "One a line; without one any page may use it."),
                        .init("signInCallback", "Sign-in callback", hint: "Where people come back after signing in."),
                    ]),
                ConsoleForm(
                    title: "New server key", path: path, button: "Add the key", action: "key",
                    fields: place + [
                        name, .init("publicKey", "Public key", .area, hint: "In PEM form.", isRequired: true),
                    ]),
            ]
        return ofApps + [
            ConsoleForm(
                title: "New management token", path: path, button: "Make the token", action: "management-token",
                fields: [
                    name, .init("container", "Container", .choice([""] + containers), hint: "Empty for all."),
                    .init("scopes", "Scopes", .checks(ManagementScope.allCases.map(\.rawValue))),
                    .init("days", "Days", hint: "Until it expires; empty for never."),
                ])
        ]
    }
}
