import CloudStore
import Logging
import ServiceLifecycle

/// Closes databases that nobody uses, and looks for files that have gone, as long as the server runs.
struct StoreKeeper: Service {
    let stores: ContainerStores
    /// Seconds until a database that nobody uses is closed.
    let idleTime: Double
    let logger: Logger

    /// Seconds between two looks at most.
    private static let longest = 5.0

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while true {
                do { try await Task.sleep(for: .seconds(min(Self.longest, idleTime))) } catch { return }
                do { try await stores.tidy(idleTime: .seconds(idleTime)) } catch {
                    logger.warning("databases could not be looked after", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
