package import CloudAccounts
package import CloudModel
package import CloudStore

/// The parts of a server that its calls share.
package final class CallServices: Sendable {
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let limits: Limits
    package let links: AssetLinks
    /// The lifetime of a push token.
    package let pushLifetime: Duration

    package init(
        accounts: AccountStore, stores: ContainerStores, limits: Limits, links: AssetLinks, pushLifetime: Duration
    ) {
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        self.links = links
        self.pushLifetime = pushLifetime
    }
}
