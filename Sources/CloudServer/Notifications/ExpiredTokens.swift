import CloudModel
import CloudStore
import Logging
import ServiceLifecycle

/// Forgets push tokens that have expired, and what waits for them, now and then as long as the server runs.
struct ExpiredTokens: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    /// From one time to the next.
    let interval: Duration
    let logger: Logger
    /// A jump of it has the work done at once.
    let clock: SettableClock

    func run() async throws {
        let job = PeriodicJob(every: interval, failure: Self.failure, logger: logger, clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await sweep() } }
    }

    private static let failure = "expired push tokens could not be forgotten"

    /// Forgets all that has expired by now; what fails is tried again the next time.
    private func sweep() async throws {
        try await accounts.removeExpiredPushTokens()
        try await stores.forEach(.expiredTokens, now: accounts.now(), onFailure: failed) {
            _, store in
            _ = try await store.removeExpiredDevices()
            return try await store.firstExpiry()
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
