import CloudStore
import Logging
import ServiceLifecycle

/// Drops assets that nothing refers to any more, now and then, as long as the server runs.
struct AssetCollector: Service {
    let stores: ContainerStores
    /// Seconds from one time to the next.
    let interval: Double
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do { try await Task.sleep(for: .seconds(interval)) } catch { return }
                for store in stores.all { await collect(store) }
            }
        }
    }

    private func collect(_ store: any RecordStore) async {
        do {
            let count = try await store.collectAssets()
            try await store.sweepAssets()
            if count > 0 { logger.info("collected \(count) assets nothing refers to") }
        } catch {
            // A store that was closed meanwhile, or a disk at fault: the next time tries again.
            logger.warning("assets could not be collected", metadata: ["error": "\(error)"])
        }
    }
}
