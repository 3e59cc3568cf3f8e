import CloudHTTP
import CLinux
import CloudStore
import Logging
import ServiceLifecycle

/// Frees memory of idle databases, closes unused databases, and detects deleted files.
struct StoreKeeper: Service {
    let stores: ContainerStores
    /// Time until an unused database is closed.
    let idleTime: Duration
    let logger: Logger

    /// The longest interval of runs. A connection unused for a full interval frees its memory.
    private static let longest = Duration.seconds(5)

    func run() async throws {
        let job = PeriodicJob(
            every: min(Self.longest, idleTime), failure: "databases could not be looked after", logger: logger)
        await cancelWhenGracefulShutdown {
            // True if freed memory may still be held by the allocator.
            var isFreed = false
            await job.run {
                try await stores.tidy(idleTime: idleTime)
                let rest = stores.freeMemory()
                // Trimming blocks all allocations for some milliseconds.
                if isFreed, !rest.isWritten { clinux_trim_heap() }
                isFreed = rest.isFreed || isFreed && rest.isWritten
            }
        }
    }
}
