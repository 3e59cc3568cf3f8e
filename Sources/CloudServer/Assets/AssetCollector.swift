import CloudStore
import Logging
import ServiceLifecycle

/// Drops assets that nothing refers to any more, now and then, as long as the server runs.
struct AssetCollector: Service {
    let stores: ContainerStores
    /// Seconds from one time to the next.
    let interval: Double
    let logger: Logger

    /// Seconds until the first time at most: a server that is started often is to collect too.
    private static let first = 60.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var pause = min(Self.first, interval)
            while true {
                do { try await Task.sleep(for: .seconds(pause)) } catch { return }
                for store in stores.all { await collect(store) }
                pause = interval
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
