package import CloudAccounts
import CloudHTTP
import CloudModel
package import CloudStore
package import Logging
import ServiceLifecycle

/// Updates the index of published names after changes of page rules, and prunes it after deletions.
package struct PublishedNameKeeper: Service {
    package let accounts: AccountStore
    package let stores: ContainerStores
    /// Time between runs.
    package let interval: Duration
    package let logger: Logger

    package init(accounts: AccountStore, stores: ContainerStores, interval: Duration, logger: Logger) {
        self.accounts = accounts
        self.stores = stores
        self.interval = interval
        self.logger = logger
    }

    private static let sweepInterval = Duration.seconds(3600)
    private static let failure = "the index of share pages could not be brought up to date"

    package func run() async throws {
        let job = PeriodicJob(every: interval, failure: Self.failure, logger: logger)
        await cancelWhenGracefulShutdown {
            var nextSweep = ContinuousClock.now
            await job.run {
                guard try await accounts.jobs.isOurs("published names") else { return }
                try await stores.indexPageRules()
                guard nextSweep <= .now else { return }
                nextSweep = .now + Self.sweepInterval
                try await stores.sweepPublishedNames(onFailure: failed)
            }
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
