package import CloudModel

/// A role that people have by a group at a provider.
package struct GroupRole: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        case `operator`(OperatorRole)
        case custom(container: String, environment: ContainerEnvironment, name: String)
    }

    /// A name in the provider's groups claim, compared byte by byte.
    package let group: String
    package let role: Role

    package init(group: String, role: Role) { (self.group, self.role) = (group, role) }

    /// Reads `GROUP=operator/ROLE` or `GROUP=CONTAINER/ENVIRONMENT/ROLE`; nil for another text. Names of groups may have a `=`.
    package init?(_ text: String) {
        guard let mark = text.lastIndex(of: "="), let role = Role(text[text.index(after: mark)...]) else { return nil }
        (group, self.role) = (String(text[..<mark]), role)
        guard !group.isEmpty else { return nil }
    }

    package var text: String { "\(group)=\(role.text)" }
}

extension GroupRole.Role {
    private static let operators = "operator"

    /// `operator/ROLE`, or `CONTAINER/ENVIRONMENT/ROLE`.
    package init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: "/" as Character, omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 2:
            guard parts[0] == Self.operators, let role = OperatorRole(rawValue: parts[1]) else { return nil }
            self = .operator(role)
        case 3:
            guard let environment = ContainerEnvironment(rawValue: parts[1]), !parts[0].isEmpty, !parts[2].isEmpty
            else { return nil }
            self = .custom(container: parts[0], environment: environment, name: parts[2])
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .operator(let role): "\(Self.operators)/\(role.rawValue)"
        case .custom(let container, let environment, let name): "\(container)/\(environment.rawValue)/\(name)"
        }
    }

    var operatorRole: OperatorRole? { if case .operator(let role) = self { role } else { nil } }
}

extension SignInProvider {
    /// The roles of a person in these groups; none without an entry of the provider for one of them.
    package func roles(of groups: [String]) -> Set<GroupRole.Role> {
        Set(roles.filter { groups.containsExactly($0.group) }.map(\.role))
    }

    /// The roles that people keep when the entry becomes another: those that each of their groups gives still. None are left if
    /// groups are read from another claim, or if people of this entry may come in no more.
    func rolesKept(by new: SignInProvider) -> [GroupRole] {
        guard issuer.isExactly(new.issuer), groupsClaim.isExactly(new.groupsClaim),
            tenants.allSatisfy({ new.tenants.containsExactly($0) })
        else { return [] }
        let lost = roles.filter { old in !new.roles.contains { $0.text.isExactly(old.text) } }
        return new.roles.filter { kept in !lost.contains { $0.role == kept.role } }
    }
}
