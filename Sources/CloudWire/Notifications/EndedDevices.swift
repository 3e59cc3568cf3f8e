package import CloudAccounts
package import CloudStore
package import Logging
import ServiceLifecycle

/// Removes devices of disabled users and their queued notifications, within a quarter of a second.
package struct EndedDevices: Service {
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let logger: Logger

    package init(accounts: AccountStore, stores: ContainerStores, logger: Logger) {
        self.accounts = accounts
        self.stores = stores
        self.logger = logger
    }

    package func run() async throws {
        let watch = AccountsWatch(
            accounts: accounts, failure: "devices of disabled users cannot be removed", logger: logger)
        await cancelWhenGracefulShutdown { await watch.run { try await remove() } }
    }

    private func remove() async throws {
        let ended = try await accounts.pushTokens.endedRegistrations()
        if ended.isEmpty { return }
        for registration in ended {
            guard let container = try await accounts.containers.find(id: registration.container) else { continue }
            try await stores.existing(container: container, environment: registration.environment)?
                .devices.remove(token: registration.token)
        }
        stores.noteRegistrations(of: Set(ended.map(\.token)))
        try await accounts.pushTokens.forget(ended)
    }
}
