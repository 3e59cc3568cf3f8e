import CloudStore
import Logging
import ServiceLifecycle

/// Tries out the place of assets when the server starts, and logs what is wrong with it. The server goes on: records need
/// no assets, and `/health` tells of the fault until it has passed.
struct AssetTrial: Service {
    let health: HealthCheck
    let logger: Logger

    func run() async throws {
        let trouble = await cancelWhenGracefulShutdown { await health.assetTrouble() }
        if let trouble, !Task.isShuttingDownGracefully { logger.error("assets cannot be kept: \(trouble.reason)") }
        try await gracefulShutdown()
    }
}
