import CLinux
import CloudStore
import Logging
import ServiceLifecycle

/// Has databases that nobody uses free memory and closes them, and looks for files that have gone, as long as the server runs.
struct StoreKeeper: Service {
    let stores: ContainerStores
    /// The time until a database that nobody uses is closed.
    let idleTime: Duration
    let logger: Logger

    /// The time between two looks at most. A connection that was not used from one to the next frees its memory.
    private static let longest = Duration.seconds(5)

    func run() async throws {
        let job = PeriodicJob(
            every: min(Self.longest, idleTime), failure: "databases could not be looked after", logger: logger)
        await cancelWhenGracefulShutdown {
            // Whether memory was freed that the allocator would keep.
            var isFreed = false
            await job.run {
                try await stores.tidy(idleTime: idleTime)
                let rest = stores.rest()
                // It lets nobody allocate meanwhile, for some milliseconds.
                if isFreed, !rest.isWritten { clinux_trim_heap() }
                isFreed = rest.isFreed || isFreed && rest.isWritten
            }
        }
    }
}
