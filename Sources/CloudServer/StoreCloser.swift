import CloudStore
import ServiceLifecycle

/// Closes the databases, and writes the last records, once the server has stopped: services end in the reverse order of their start.
struct StoreCloser: Service {
    let stores: ContainerStores
    let accounts: AccountStore
    let recorder: RequestRecorder

    func run() async throws {
        try await gracefulShutdown()
        try await stores.close()
        try accounts.close()
        recorder.flush()
    }
}
