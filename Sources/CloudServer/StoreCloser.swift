import CloudStore
import ServiceLifecycle

/// Closes the databases once the server has stopped: services end in the reverse order of their start.
struct StoreCloser: Service {
    let stores: ContainerStores
    let accounts: AccountStore

    func run() async throws {
        try await gracefulShutdown()
        try await stores.close()
        try accounts.close()
    }
}
