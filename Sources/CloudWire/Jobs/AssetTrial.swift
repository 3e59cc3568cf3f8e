package import CloudStore
package import Logging
import ServiceLifecycle

/// Tests the asset storage at startup, and logs its faults. The server keeps running, because records need no assets;
/// `/health` reports the fault until it is resolved.
package struct AssetTrial: Service {
    package let health: HealthCheck
    package let logger: Logger

    package init(health: HealthCheck, logger: Logger) {
        self.health = health
        self.logger = logger
    }

    package func run() async throws {
        let trouble = await cancelWhenGracefulShutdown { await health.assetTrouble() }
        if let trouble, !Task.isShuttingDownGracefully { logger.error("assets cannot be kept: \(trouble.reason)") }
        try await gracefulShutdown()
    }
}
