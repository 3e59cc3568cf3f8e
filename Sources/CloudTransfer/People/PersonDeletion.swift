package import CloudAccounts
package import CloudModel
package import CloudStore

/// Deletes a person's account and data.
///
/// The account is marked first: from then on it cannot sign in, and its address stays reserved. Then each environment loses the
/// person's data, part by part; the account is deleted last. Every step can be repeated, so an interrupted deletion resumes
/// from the mark.
package struct PersonDeletion: Sendable {
    private let accounts: AccountStore
    private let stores: ContainerStores
    private let limits: Limits
    private let onStep: @Sendable () async throws -> Void

    /// - Parameter onStep: called after each step is on disk; an error it throws stops the deletion there.
    package init(
        accounts: AccountStore, stores: ContainerStores, limits: Limits,
        onStep: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        self.onStep = onStep
    }

    /// Measures a person's data in each environment of the person's containers.
    ///
    /// - Parameter email: the account's address or id. Empty for one without an account.
    package func footprints(email: String) async throws -> [PersonEnvironment] {
        guard let account = try await accounts.users.find(named: email) else { return [] }
        var found: [PersonEnvironment] = []
        for home in try await PersonHome.all(of: account, accounts) {
            guard let store = try await stores.existing(container: home.container, environment: home.environment)
            else { continue }
            found.append(
                PersonEnvironment(
                    container: home.container.name, environment: home.environment, userRecordName: home.user,
                    footprint: try await store.people.footprint(of: home.user)))
        }
        return found
    }

    /// - Throws: `NOT_FOUND` for an address without an account, `ACCESS_DENIED` for an account beyond reach, `CONFLICT` for
    ///   the last owner's account, and errors of an unusable environment, after which the account stays marked.
    package func run(email: String, within reach: AccountReach = .everybody) async throws {
        let account = try await accounts.users.beginDeletion(email: email, within: reach)
        try await onStep()
        try await finish(account)
    }

    /// Resumes interrupted deletions.
    package func finishAll() async throws {
        for account in try await accounts.users.inDeletion() { try await finish(account) }
    }

    /// Removes all data, repeatedly until none is left.
    ///
    /// A request in progress may write meanwhile; the account then stays marked until a later attempt finds no data.
    private func finish(_ account: UserAccount) async throws {
        for _ in 0..<Self.attempts {
            try await removeAll(of: account)
            if try await footprints(email: account.idText).allSatisfy(\.footprint.isEmpty) {
                try await accounts.users.finishDeletion(account: account.id)
                return try await onStep()
            }
        }
    }

    private static let attempts = 3

    private func removeAll(of account: UserAccount) async throws {
        for home in try await PersonHome.all(of: account, accounts) {
            for part in PersonPart.allCases {
                guard let store = try await stores.existing(container: home.container, environment: home.environment)
                else { continue }
                try await store.people.remove(part, of: home.user, limits: limits)
                try await onStep()
            }
        }
    }
}

/// The amount of a person's data in one environment.
package struct PersonEnvironment: Codable, Hashable, Sendable {
    package let container: String
    package let environment: ContainerEnvironment
    package let userRecordName: String
    package let footprint: PersonFootprint
}
