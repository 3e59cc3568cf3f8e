import CloudModel

/// An environment that a person may have something in.
struct PersonHome: Sendable {
    let container: Container
    let environment: ContainerEnvironment
    /// The person's record name there.
    let user: String
}

extension AccountStore {
    /// Both environments of every container that an account has been in.
    func homes(of account: UserAccount) async throws -> [PersonHome] {
        var homes: [PersonHome] = []
        for (name, user) in try await userRecordNames(account: account.id) {
            let container = try await requireContainer(named: name)
            homes += ContainerEnvironment.allCases.map { PersonHome(container: container, environment: $0, user: user) }
        }
        return homes
    }
}
