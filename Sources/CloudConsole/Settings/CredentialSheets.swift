import CloudAccounts
import CloudStore
import CloudModel
import CloudOperations
import CloudStore

/// Tables of credentials, without their secrets.
enum CredentialSheets {
    private static func revoke(_ kind: String, _ id: String) -> Sheet.Cell {
        Sheet.Cell("", action: Sheet.Action(label: "Revoke", fields: [("do", "revoke-\(kind)"), ("id", id)]))
    }

    static func apiTokens(_ tokens: [APITokenInfo]) -> Sheet {
        Sheet(
            title: "API tokens",
            columns: [
                .init(title: "Name"), .init(title: "Begins with"), .init(title: "Container"),
                .init(title: "Environment"), .init(title: "Origins"), .init(title: "Audiences"),
                .init(title: "Action"),
            ],
            rows: tokens.map {
                [
                    Sheet.Cell($0.name), .name($0.hint + "…"), .name($0.container),
                    Sheet.Cell($0.environment.label, badge: "env \($0.environment.rawValue)"),
                    Sheet.Cell($0.allowedOrigins.isEmpty ? "any" : $0.allowedOrigins.joined(separator: " ")),
                    Sheet.Cell($0.audiences.isEmpty ? "none" : $0.audiences.joined(separator: " ")),
                    revoke("token", "\($0.id)"),
                ]
            }, empty: "There are no API tokens yet.")
    }

    static func serverKeys(_ keys: [ServerKeyInfo]) -> Sheet {
        Sheet(
            title: "Server keys",
            columns: [
                .init(title: "Name"), .init(title: "Container"), .init(title: "Environment"), .init(title: "State"),
                .init(title: "Action"),
            ],
            rows: keys.map {
                [
                    Sheet.Cell($0.name), .name($0.container),
                    Sheet.Cell($0.environment.label, badge: "env \($0.environment.rawValue)"),
                    Sheet.Cell($0.revoked ? "revoked" : "active", badge: $0.revoked ? "warn" : "good"),
                    $0.revoked ? Sheet.Cell("") : revoke("key", $0.keyID),
                ]
            }, empty: "There are no server keys yet.")
    }

    static func managementTokens(_ tokens: [ManagementTokenInfo]) -> Sheet {
        Sheet(
            title: "Management tokens",
            columns: [
                .init(title: "Name"), .init(title: "Begins with"), .init(title: "Container"), .init(title: "Scopes"),
                .init(title: "Expires"), .init(title: "Action"),
            ],
            rows: tokens.map {
                [
                    Sheet.Cell($0.name), .name($0.hint + "…"), .name($0.container ?? "all"),
                    Sheet.Cell($0.scopes.map(\.rawValue).joined(separator: ", "), isWhole: true),
                    $0.expires.map { Sheet.Cell.time($0) } ?? Sheet.Cell("never"),
                    revoke("management-token", "\($0.id)"),
                ]
            }, empty: "There are no management tokens yet.")
    }
}
