import CloudAccounts
import CloudHTTP
import CloudStore
import ServiceLifecycle

/// Closes the databases and writes the last request records at shutdown, after the listener: services end in reverse
/// order.
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
