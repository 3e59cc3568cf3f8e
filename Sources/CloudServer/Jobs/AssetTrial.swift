import CloudStore
import Logging
import ServiceLifecycle

/// Tests the asset storage at startup, and logs its faults. The server keeps running, because records need no assets;
/// `/health` reports the fault until it is resolved.
struct AssetTrial: Service {
    let health: HealthCheck
    let logger: Logger

    func run() async throws {
        let trouble = await cancelWhenGracefulShutdown { await health.assetTrouble() }
        if let trouble, !Task.isShuttingDownGracefully { logger.error("assets cannot be kept: \(trouble.reason)") }
        try await gracefulShutdown()
    }
}
