import CloudStore
import Logging
import ServiceLifecycle

/// Closes databases that nobody uses, and looks for files that have gone, as long as the server runs.
struct StoreKeeper: Service {
    let stores: ContainerStores
    /// The time until a database that nobody uses is closed.
    let idleTime: Duration
    let logger: Logger

    /// The time between two looks at most.
    private static let longest = Duration.seconds(5)

    func run() async throws {
        let job = PeriodicJob(
            every: min(Self.longest, idleTime), failure: "databases could not be looked after", logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try await stores.tidy(idleTime: idleTime) } }
    }
}
