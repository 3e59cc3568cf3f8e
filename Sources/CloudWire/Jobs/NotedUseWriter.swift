package import CloudAccounts
import CloudHTTP
package import Logging
import ServiceLifecycle

/// Periodically writes the last uses of sign-ins in batches.
package struct NotedUseWriter: Service {
    package let accounts: AccountStore
    package let interval: Duration
    package let logger: Logger

    package init(accounts: AccountStore, interval: Duration, logger: Logger) {
        self.accounts = accounts
        self.interval = interval
        self.logger = logger
    }

    package func run() async throws {
        let job = PeriodicJob(
            every: interval, failure: "the last uses of sign-ins could not be written down", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await accounts.writeUses() } }
    }
}
