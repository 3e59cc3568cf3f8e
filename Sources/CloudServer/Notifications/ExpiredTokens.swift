import CloudModel
import CloudStore
import Logging
import ServiceLifecycle

/// Periodically removes expired push tokens and their queued notifications.
struct ExpiredTokens: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    /// Time between runs.
    let interval: Duration
    let logger: Logger
    /// A jump of the test clock triggers a run immediately.
    let clock: SettableClock

    func run() async throws {
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
