import CloudModel
import CloudStore
import Foundation
import Logging
import ServiceLifecycle

/// Forgets push tokens that have expired, and what waits for them, now and then as long as the server runs.
struct ExpiredTokens: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    /// Seconds from one time to the next.
    let interval: Double
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do { try await Task.sleep(for: .seconds(interval)) } catch { return }
                await sweep()
            }
        }
    }

    /// Forgets all that has expired by now; what fails is tried again the next time.
    func sweep() async {
        do {
            try await accounts.removeExpiredPushTokens()
            try await stores.forEach(.expiredTokens, now: Int64(Date().timeIntervalSince1970 * 1000), onFailure: failed)
            { _, store in
                _ = try await store.removeExpiredDevices()
                return try await store.firstExpiry()
            }
        } catch {
            logger.warning("expired push tokens could not be forgotten", metadata: ["error": "\(error)"])
        }
    }

    private func failed(_ container: Container, _ environment: ContainerEnvironment, _ error: any Error) {
        logger.warning(
            "expired push tokens could not be forgotten",
            metadata: [
                "container": "\(container.name)", "environment": "\(environment.rawValue)", "error": "\(error)",
            ])
    }
}
