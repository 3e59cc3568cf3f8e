package import CloudAccounts
package import CloudModel
package import CloudStore

/// `POST /emulator/1/containers/{container}/seed`: plants data in a container; a missing container is created.
package struct SeedEndpoint {
    /// The body limit in bytes.
    package static let largestBody = 16 << 20

    package let accounts: AccountStore
    package let stores: ContainerStores
    package let limits: Limits

    package init(accounts: AccountStore, stores: ContainerStores, limits: Limits) {
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
    }

    /// - Throws: `BAD_REQUEST` and other errors, naming the line.
    package func respond(_ text: String, _ name: String) async throws -> JSONWriter {
        let seed = try Seed(text, limits: limits)
        try Container.check(name: name)
        let container = try await accounts.containers.ensure(name: name)
        let count = try await seed.plant(in: container, accounts: accounts, stores: stores)
        var json = JSONWriter()
        json.object {
            $0.member("people", Int64(count.people))
            $0.member("zones", Int64(count.zones))
            $0.member("records", Int64(count.records))
        }
        return json
    }
}
