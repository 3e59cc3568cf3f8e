package import CloudAccounts
package import CloudModel
package import CloudStore

/// Gives and takes the custom roles of people's groups, in the environments that have them.
package struct GroupRoleWork: Sendable {
    /// Roles taken away in one run.
    private static let most = 1000

    private let accounts: AccountStore
    private let stores: ContainerStores
    private let limits: Limits
    /// Reports a missing role, as a clause.
    private let tell: @Sendable (String) -> Void

    package init(
        accounts: AccountStore, stores: ContainerStores, limits: Limits, tell: @escaping @Sendable (String) -> Void
    ) {
        (self.accounts, self.stores, self.limits, self.tell) = (accounts, stores, limits, tell)
    }

    /// Follows a sign-in whose transaction has entered the roles that are withdrawn.
    ///
    /// - Parameter roles: the roles of the person's groups now.
    package func follow(_ roles: Set<GroupRole.Role>, of account: UserAccount, by person: ProvenPerson) async throws {
        try await takeWithdrawn(of: account.id)
        let known = Set(try await accounts.providers.givenRoles.all(of: account.id).map(\.role))
        for case .custom(let container, let environment, let name) in roles {
            let role = GroupRole.Role.custom(container: container, environment: environment, name: name)
            guard let place = try await find(container, environment) else {
                tell("there is no container for the role \(role.text)")
                continue
            }
            let user = try await accounts.people.recordName(account: account.id, container: place.container.id)
            let isThere = try await place.store.roles.has(name, user)
            // A role that nobody's group gave was given by an operator, and stays.
            if isThere, !known.contains(role) { continue }
            try await accounts.providers.givenRoles.enter(role, of: account.id, by: person)
            if !isThere { try await set(name, of: user, to: true, place) }
        }
    }

    /// Takes away what is withdrawn.
    ///
    /// - Parameter account: only from this account; nil for all.
    package func takeWithdrawn(of account: Int64? = nil) async throws {
        for given in try await accounts.providers.givenRoles.withdrawn(of: account, limit: Self.most) {
            guard case .custom(let container, let environment, let name) = given.role else { continue }
            let others = try await accounts.providers.givenRoles.all(of: given.account).contains {
                $0.role == given.role
            }
            if !others, let place = try await find(container, environment) {
                let user = try await accounts.people.recordName(account: given.account, container: place.container.id)
                if try await place.store.roles.has(name, user) { try await set(name, of: user, to: false, place) }
            }
            try await accounts.providers.givenRoles.remove(given)
        }
    }

    private struct Place {
        let container: Container
        let store: EnvironmentStore
    }

    private func find(_ container: String, _ environment: ContainerEnvironment) async throws -> Place? {
        guard let container = try await accounts.reader().container(named: container) else { return nil }
        return Place(
            container: container, store: try await stores.store(container: container, environment: environment))
    }

    private func set(_ role: String, of user: String, to isGranted: Bool, _ place: Place) async throws {
        do {
            _ = try await place.store.roles.set(role, of: user, to: isGranted, limits: limits)
        } catch let error as ServerError where [.notFound, .badRequest].contains(error.code) {
            tell(error.reason)
        }
    }
}

extension OperationCall {
    /// Takes away custom roles that groups no longer give. Beside a server, whose stores are its own, the server does so within a
    /// minute.
    func takeWithdrawnRoles() async throws {
        guard let stores = workplace.stores else { return }
        try await GroupRoleWork(accounts: accounts, stores: stores, limits: workplace.limits) { _ in }.takeWithdrawn()
    }
}
