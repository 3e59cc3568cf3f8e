package import CloudAccounts
package import CloudModel

/// An operator's name, scopes and further limits.
package struct OperatorIdentity: Hashable, Sendable {
    /// The name in the audit log.
    package let name: String
    package let scopes: Set<ManagementScope>
    /// The role in the console, for signed-in operators; limits the permitted changes.
    package let role: OperatorRole
    /// The only container within reach; nil for all containers.
    package let container: String?
    /// The expiry time; nil without one, or if unknown.
    package let expires: Timestamp?
    /// The identity recorded as a credential's maker; nil for commands on the server's machine.
    let maker: CredentialMaker?

    package init(
        name: String, scopes: Set<ManagementScope> = Set(ManagementScope.allCases), role: OperatorRole = .owner,
        container: String? = nil
    ) {
        self.init(name: name, scopes: scopes, role: role, container: container, expires: nil, maker: nil)
    }

    private init(
        name: String, scopes: Set<ManagementScope> = Set(ManagementScope.allCases), role: OperatorRole = .owner,
        container: String? = nil, expires: Timestamp? = nil, maker: CredentialMaker?
    ) {
        self.name = name
        self.scopes = scopes
        self.role = role
        self.container = container
        self.expires = expires
        self.maker = maker
    }

    /// An operator signed in to the console.
    package init(_ known: ServerOperator) {
        self.init(
            name: "operator \(known.account.handle)", role: known.role, maker: .operator(account: known.account.id))
    }

    /// The holder of a management token.
    package init(_ token: ManagementToken) {
        self.init(
            name: "management token \(token.id) (\(token.name))", scopes: token.scopes, container: token.container,
            expires: token.expires, maker: .managementToken(token.id))
    }

    /// The accounts that the operator may change. Operators' accounts need every scope, no container bound and the owner role.
    package var reach: AccountReach {
        let all = Set(ManagementScope.allCases)
        return scopes == all && container == nil && role.changes == all ? .everybody : .nonOperators
    }

    /// The refusal of a change that brings a stored record into a share; nil for operators with the scope to read records.
    /// Other operators could read the record through the share's link.
    var revealRefusal: ServerError? {
        if scopes.contains(.recordsRead) { return nil }
        return ServerError(
            .accessDenied,
            "this would bring a record that is there already into a share, which needs the scope 'records:read'",
            .credentials(.managementTokenWithoutScope))
    }

    /// - Throws: `ACCESS_DENIED` with the missing scope.
    package func require(_ scopes: [ManagementScope]) throws(ServerError) {
        guard let missing = scopes.first(where: { !self.scopes.contains($0) }) else { return }
        throw ServerError(
            .accessDenied,
            "this needs the scope '\(known: missing.rawValue)', which the management token does not have; "
                + "'cumulus management-token create --scope \(known: missing.rawValue)' makes one that has",
            .credentials(.managementTokenWithoutScope))
    }

    /// Requires record scopes for changes that widen access, since widened grants open stored records.
    ///
    /// - Throws: `ACCESS_DENIED` with a step of the change and its missing scope.
    func require(toMake changes: [SchemaChange]) throws(ServerError) {
        for change in changes {
            let missing = change.widened.map { $0 == .read ? ManagementScope.recordsRead : .recordsWrite }.sorted {
                $0.rawValue < $1.rawValue
            }.first { !scopes.contains($0) }
            guard let missing else { continue }
            let step = SchemaDifference.text([change]).split(separator: "\n").first { $0.hasPrefix("+") } ?? ""
            throw ServerError(
                .accessDenied,
                "'\(Naming.shown(String(step)))' needs the scope '\(known: missing.rawValue)', which the management token "
                    + "does not have: it opens records that may be there already",
                .credentials(.managementTokenWithoutScope))
        }
    }

    /// - Throws: `ACCESS_DENIED` with the role, if the role permits no changes under these scopes.
    package func requireChange(_ scopes: [ManagementScope]) throws(ServerError) {
        guard !role.changes.isSuperset(of: scopes) else { return }
        throw ServerError(
            .accessDenied,
            role == .viewer
                ? "a viewer cannot change anything; an owner can give you another role"
                : "an \(known: role.rawValue) can change records and shares only; an owner can give you another role",
            .credentials(.operatorRole))
    }

    /// - Parameter name: the container of the operation; nil for operations about all containers.
    /// - Throws: `ACCESS_DENIED` for a container other than the token's.
    package func require(container name: String?) throws(ServerError) {
        guard let container, container != name else { return }
        throw ServerError(
            .accessDenied,
            name == nil
                ? "this management token is for container '\(known: container)' only; this operation needs one for all containers"
                : "this management token is for another container",
            .credentials(.managementTokenOfAnotherContainer))
    }
}
