/// An operator's permissions in the console.
package enum OperatorRole: String, CaseIterable, Codable, Sendable {
    /// Looks at everything and changes nothing.
    case viewer
    /// Looks at everything and changes records and shares.
    case editor
    /// Does everything.
    case owner

    /// The scopes in which the role may make changes.
    package var changes: Set<ManagementScope> {
        switch self {
        case .viewer: []
        case .editor: [.recordsRead, .recordsWrite]
        case .owner: Set(ManagementScope.allCases)
        }
    }
}
