import CloudStore
import Logging
import ServiceLifecycle

/// Periodically writes the last uses of sign-ins in batches.
struct NotedUseWriter: Service {
    let accounts: AccountStore
    let interval: Duration
    let logger: Logger

    func run() async throws {
        let job = PeriodicJob(
            every: interval, failure: "the last uses of sign-ins could not be written down", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await accounts.writeUses() } }
    }
}
