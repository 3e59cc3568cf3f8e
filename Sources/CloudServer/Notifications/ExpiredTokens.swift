import CloudModel
import CloudStore
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
            for container in try await accounts.containers() {
                for environment in ContainerEnvironment.allCases {
                    let store = try await stores.existing(container: container, environment: environment)
                    _ = try await store?.removeExpiredDevices()
                }
            }
        } catch {
            logger.warning("expired push tokens could not be forgotten", metadata: ["error": "\(error)"])
        }
    }
}
