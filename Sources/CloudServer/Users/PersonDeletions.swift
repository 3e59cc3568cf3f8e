import CloudModel
import CloudStore
import Logging
import ServiceLifecycle

/// Resumes interrupted deletions of people, at server start and periodically.
struct PersonDeletions: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    let limits: Limits
    let interval: Duration
    let logger: Logger

    func run() async throws {
        let job = PeriodicJob(
            every: interval, after: .zero, failure: "the deletion of a person could not be finished", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await finish() } }
    }

    private func finish() async throws {
        guard try await accounts.isOurs(job: "deletions") else { return }
        try await PersonDeletion(accounts: accounts, stores: stores, limits: limits).finishAll()
    }
}
