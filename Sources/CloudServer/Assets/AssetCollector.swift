import CloudModel
import CloudStore
import Logging
import ServiceLifecycle

/// Drops assets that nothing refers to any more, now and then, as long as the server runs.
struct AssetCollector: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    /// From one time to the next.
    let interval: Duration
    let logger: Logger
    /// A jump of it has the work done at once.
    let clock: SettableClock

    /// The time until the first time at most: a server that is started often is to collect too.
    private static let first = Duration.seconds(60)

    func run() async throws {
        let job = PeriodicJob(
            every: interval, after: min(Self.first, interval), failure: Self.failure, logger: logger,
            clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await collect() } }
    }

    private static let failure = "assets could not be collected"

    /// Collects in every container, whether or not anybody has asked for it since the start.
    func collect() async throws {
        guard try await accounts.isOurs(job: "collection") else { return }
        for (container, environment) in try await accounts.madeEnvironments() where !Task.isCancelled {
            await collect(container, environment)
        }
    }

    private func collect(_ container: Container, _ environment: ContainerEnvironment) async {
        do {
            // What a backup copies stays until it is done.
            let hold = try await stores.holdAssets()
            defer { hold.release() }
            guard try await stores.haveAssets(container: container, environment: environment),
                let store = try await stores.existing(container: container, environment: environment)
            else { return }
            let count = try await store.collectAssets()
            try await store.sweepAssets()
            if count > 0 { logger.info("collected \(count) assets nothing refers to") }
        } catch {
            // A store that was closed meanwhile, or a disk at fault: the next time tries again.
            logger.warning("\(Self.failure)", metadata: ["error": "\(error)"])
        }
    }
}
