import CloudModel
import CloudOperations

/// `/console/settings`: each value with where it comes from and its default, credentials without their texts, and the
/// audit log.
enum SettingsView {
    static let show: ConsoleEndpoint = { call in
        let settings = try await call.operations.run(SettingOperations.list, [:]).items
        let tokens = try await call.operations.run(APITokenOperations.list, ["limit": .integer(200)]).items
        let keys = try await call.operations.run(ServerKeyOperations.list, ["limit": .integer(200)]).items
        let managers = try await call.operations.run(ManagementTokenOperations.list, ["limit": .integer(200)]).items
        let audit = try await call.operations.run(
            AuditOperations.list, ["after": call.query["after"].map(JSONValue.string)])
        var log = AuditSheet.make(audit.items, title: "Audit log")
        log.next = audit.next.map { ConsoleAddress.make(ConsoleView.settings.path, [("after", $0)]) }
        return try call.render(
            "Settings", view: .settings, place: try await call.place(),
            sheets: [apiTokens(tokens), serverKeys(keys), managementTokens(managers), log, values(settings)])
    }

    private static func values(_ settings: [SettingInfo]) -> Sheet {
        Sheet(
            title: "Settings", note: "read when the server starts",
            columns: [
                .init(title: "Name"), .init(title: "Value"), .init(title: "From"), .init(title: "Default"),
                .init(title: "What it is for"),
            ],
            rows: settings.map {
                [.name($0.name), .name($0.value), Sheet.Cell($0.from), .name($0.standard), Sheet.Cell($0.purpose)]
            }, empty: "This server was not started by 'cumulus serve', so nobody has told its settings.")
    }

    private static func apiTokens(_ tokens: [APITokenInfo]) -> Sheet {
        Sheet(
            title: "API tokens",
            columns: [
                .init(title: "Name"), .init(title: "Begins with"), .init(title: "Container"),
                .init(title: "Environment"),
                .init(title: "Origins"),
            ],
            rows: tokens.map {
                [
                    Sheet.Cell($0.name), .name($0.hint + "…"), .name($0.container),
                    Sheet.Cell($0.environment.label, badge: "env \($0.environment.rawValue)"),
                    Sheet.Cell($0.allowedOrigins.isEmpty ? "any" : $0.allowedOrigins.joined(separator: " ")),
                ]
            }, empty: "There are no API tokens yet. 'cumulus token create' makes one.")
    }

    private static func serverKeys(_ keys: [ServerKeyInfo]) -> Sheet {
        Sheet(
            title: "Server keys",
            columns: [
                .init(title: "Name"), .init(title: "Container"), .init(title: "Environment"), .init(title: "State"),
            ],
            rows: keys.map {
                [
                    Sheet.Cell($0.name), .name($0.container),
                    Sheet.Cell($0.environment.label, badge: "env \($0.environment.rawValue)"),
                    Sheet.Cell($0.revoked ? "revoked" : "active", badge: $0.revoked ? "warn" : "good"),
                ]
            }, empty: "There are no server keys yet. 'cumulus key add' registers one.")
    }

    private static func managementTokens(_ tokens: [ManagementTokenInfo]) -> Sheet {
        Sheet(
            title: "Management tokens",
            columns: [
                .init(title: "Name"), .init(title: "Begins with"), .init(title: "Container"), .init(title: "Scopes"),
                .init(title: "Expires"),
            ],
            rows: tokens.map {
                [
                    Sheet.Cell($0.name), .name($0.hint + "…"), .name($0.container ?? "all"),
                    Sheet.Cell($0.scopes.map(\.rawValue).joined(separator: ", ")),
                    $0.expires.map { Sheet.Cell.time($0) } ?? Sheet.Cell("never"),
                ]
            }, empty: "There are no management tokens yet. 'cumulus management-token create' makes one.")
    }
}
