import CloudAccounts
import CloudModel

/// An environment in which a person may have data.
struct PersonHome: Sendable {
    let container: Container
    let environment: ContainerEnvironment
    /// The person's record name there.
    let user: String

    /// Both environments of every container in which the account is a user.
    static func all(of account: UserAccount, _ accounts: AccountStore) async throws -> [PersonHome] {
        var homes: [PersonHome] = []
        for (name, user) in try await accounts.people.recordNames(account: account.id) {
            let container = try await accounts.containers.require(named: name)
            homes += ContainerEnvironment.allCases.map { PersonHome(container: container, environment: $0, user: user) }
        }
        return homes
    }
}
