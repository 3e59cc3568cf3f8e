import CloudStore
import Logging
import ServiceLifecycle

/// Takes away the devices of users who have been disabled, within a quarter of a second, and what waits for them.
struct EndedDevices: Service {
    let accounts: AccountStore
    let stores: ContainerStores
    let hub: NotificationHub
    let logger: Logger

    /// Seconds between two looks at the revision of the accounts, which costs microseconds.
    private static let interval = 0.25

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var seen: Int64?
            while !Task.isCancelled {
                do {
                    let revision = try accounts.revision()
                    if revision != seen { try await remove() }
                    seen = revision
                } catch {
                    logger.warning("devices of disabled users cannot be removed", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: .seconds(Self.interval))
            }
        }
    }

    private func remove() async throws {
        let ended = try await accounts.endedRegistrations()
        if ended.isEmpty { return }
        for registration in ended {
            guard let container = try await accounts.container(id: registration.container) else { continue }
            try await stores.existing(container: container, environment: registration.environment)?
                .removeDevice(token: registration.token)
        }
        hub.wake(Set(ended.map(\.token)))
        try await accounts.forget(ended)
    }
}
