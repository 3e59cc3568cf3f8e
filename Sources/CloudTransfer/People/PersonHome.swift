import CloudAccounts
import CloudModel

/// An environment in which a person may have data.
struct PersonHome: Sendable {
    let container: Container
    let environment: ContainerEnvironment
    /// The person's record name there.
    let user: String
}

extension AccountStore {
    /// Both environments of every container in which the account is a user.
    func homes(of account: UserAccount) async throws -> [PersonHome] {
        var homes: [PersonHome] = []
        for (name, user) in try await people.recordNames(account: account.id) {
            let container = try await containers.require(named: name)
            homes += ContainerEnvironment.allCases.map { PersonHome(container: container, environment: $0, user: user) }
        }
        return homes
    }
}
