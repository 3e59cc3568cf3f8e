/// A kind of work that a management token allows.
package enum ManagementScope: String, CaseIterable, Codable, Sendable {
    /// Schemas: text, differences, deployment.
    case schema
    /// Reading all users' records, shares and subscriptions.
    case recordsRead = "records:read"
    /// Changing all users' records and shares.
    case recordsWrite = "records:write"
    /// Accounts, passwords, sessions and roles.
    case people
    /// Containers, credentials, pages, webhooks, settings and the audit log.
    case operations

    /// Scopes as text, in the order of the cases above.
    package static func text(_ scopes: Set<ManagementScope>) -> String {
        allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }
}
