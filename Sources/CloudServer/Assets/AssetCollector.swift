import CloudModel
import CloudStore
import Logging
import ServiceLifecycle

/// Periodically deletes unreferenced assets.
struct AssetCollector: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    /// Time between runs.
    let interval: Duration
    let logger: Logger
    /// A jump of the test clock triggers a run immediately.
    let clock: SettableClock

    /// The longest delay of the first run: frequently restarted servers must collect as well.
    private static let first = Duration.seconds(60)

    func run() async throws {
        let job = PeriodicJob(
            every: interval, after: min(Self.first, interval), failure: Self.failure, logger: logger,
            clock: clock)
        await cancelWhenGracefulShutdown { await job.run { try await collect() } }
    }

    private static let failure = "assets could not be collected"

    /// Collects in all containers, including containers unused since the start.
    func collect() async throws {
        guard try await accounts.isOurs(job: "collection") else { return }
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
