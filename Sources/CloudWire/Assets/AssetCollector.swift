package import CloudAccounts
import CloudEngine
import CloudHTTP
package import CloudModel
package import CloudStore
package import Logging
import ServiceLifecycle

/// Periodically deletes unreferenced assets.
package struct AssetCollector: Service {
    package let accounts: AccountStore
    package let stores: ContainerStores
    /// Time between runs.
    package let interval: Duration
    package let logger: Logger
    /// A jump of the test clock triggers a run immediately.
    package let clock: SettableClock

    package init(
        accounts: AccountStore, stores: ContainerStores, interval: Duration, logger: Logger, clock: SettableClock
    ) {
        self.accounts = accounts
        self.stores = stores
        self.interval = interval
        self.logger = logger
        self.clock = clock
    }

    /// The longest delay of the first run: frequently restarted servers must collect as well.
    private static let first = Duration.seconds(60)

    package func run() async throws {
        let job = PeriodicJob(
            every: interval, after: min(Self.first, interval), failure: Self.failure, logger: logger,
            clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await collect() } }
    }

    private static let failure = "assets could not be collected"

    /// Collects in all containers, including containers unused since the start.
    package func collect() async throws {
        guard try await accounts.jobs.isOurs("collection") else { return }
        for (container, environment) in try await accounts.environments.made() where !Task.isCancelled {
            await collect(container, environment)
        }
    }

    private func collect(_ container: Container, _ environment: ContainerEnvironment) async {
        do {
            // A running backup holds assets until it has copied them.
            let hold = try await stores.holdAssets()
            defer { hold.release() }
            guard try await stores.haveAssets(container: container, environment: environment),
                let store = try await stores.existing(container: container, environment: environment)
            else { return }
            let count = try await store.assets.collect()
            try await store.assets.sweep()
            if count > 0 { logger.info("collected \(count) assets nothing refers to") }
        } catch {
            // The store was closed or the disk failed: the next run retries.
            logger.warning("\(Self.failure)", metadata: ["error": "\(error)"])
        }
    }
}
