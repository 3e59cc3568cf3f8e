package import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore
package import Logging
import ServiceLifecycle

/// Periodically removes expired push tokens and their queued notifications.
package struct ExpiredTokens: Service {
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

    package func run() async throws {
        let job = PeriodicJob(every: interval, failure: Self.failure, logger: logger, clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await sweep() } }
    }

    private static let failure = "expired push tokens could not be forgotten"

    /// Removes all expired tokens; the next run retries failures.
    private func sweep() async throws {
        try await accounts.pushTokens.removeExpired()
        try await stores.forEach(.expiredTokens, now: accounts.now(), onFailure: failed) {
            _, store in
            _ = try await store.devices.removeExpired()
            return try await store.devices.firstExpiry()
        }
    }

    private func failed(_ container: Container, _ environment: ContainerEnvironment, _ error: any Error) {
        logger.warning(
            "\(Self.failure)",
            metadata: [
                "container": "\(container.name)", "environment": "\(environment.rawValue)", "error": "\(error)",
            ])
    }
}
