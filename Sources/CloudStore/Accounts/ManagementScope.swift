/// A kind of work that a management token is good for.
package enum ManagementScope: String, CaseIterable, Codable, Sendable {
    /// Schemas: text, difference, deployment.
    case schema
    /// Everybody's records, shares and subscriptions, to look at.
    case recordsRead = "records:read"
    /// Everybody's records and shares, to change.
    case recordsWrite = "records:write"
    /// Accounts, passwords, sessions and roles.
    case people
    /// Containers, credentials, pages, webhooks, settings and the audit log.
    case operations

    /// A set of them, in the order in which they are listed here.
    package static func text(_ scopes: Set<ManagementScope>) -> String {
        allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }
}
