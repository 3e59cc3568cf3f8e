package import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore
import CloudTransfer
package import Logging
import ServiceLifecycle

/// Resumes interrupted deletions of people, at server start and periodically.
package struct PersonDeletions: Service {
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let limits: Limits
    package let interval: Duration
    package let logger: Logger

    package init(
        accounts: AccountStore, stores: ContainerStores, limits: Limits, interval: Duration, logger: Logger
    ) {
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        self.interval = interval
        self.logger = logger
    }

    package func run() async throws {
        let job = PeriodicJob(
            every: interval, after: .zero, failure: "the deletion of a person could not be finished", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await finish() } }
    }

    private func finish() async throws {
        guard try await accounts.jobs.isOurs("deletions") else { return }
        try await PersonDeletion(accounts: accounts, stores: stores, limits: limits).finishAll()
    }
}
