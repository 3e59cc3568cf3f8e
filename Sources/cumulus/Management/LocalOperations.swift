import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudServer
import CloudWire
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer
import Foundation

/// Operations on a local data folder. Account operations use its database, whether or not a server runs. Operations inside
/// environments use its files if no server holds them, otherwise that server.
struct LocalOperations: Operations {
    private let settings: Settings
    private let listing: [SettingInfo]
    private let report: ReportProgress
    private let folder: DataFolder
    private let accounts: AccountStore

    /// The lock file's content while a command holds the lock.
    static let commandNote = "command"
    /// The number of attempts at the lock and the pause between attempts, while the holder accepts no requests: either another
    /// command, or a server still starting.
    private static let (attempts, pause) = (100, Duration.milliseconds(100))

    init(
        settings: Settings, mayBeNew: Bool = false, listing: [SettingInfo] = [],
        report: @escaping ReportProgress = { _ in }
    ) throws {
        self.settings = settings
        self.listing = listing
        self.report = report
        folder = try settings.dataFolder(mayBeNew: mayBeNew)
        accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
    }

    func run<Input, Answer>(
        _ operation: AdminOperation<Input, Answer>, _ arguments: Arguments
    ) async throws -> Answer {
        let reach = operation.route.reach
        guard reach != .accounts else { return try await operations(stores: nil).run(operation, arguments) }
        let container = reach == .environment ? arguments["container"]?.string ?? "" : nil
        return try await inside(container) {
            try await $0.run(operation, arguments)
        } throughServer: {
            try await RemoteOperations(client: $0).run(operation, arguments)
        }
    }

    /// Works inside a container's environments, directly or through the server.
    ///
    /// - Parameter container: nil for all containers.
    func inside<T: Sendable>(
        _ container: String?, _ onFiles: (StoreOperations) async throws -> T,
        throughServer: (ManagementClient) async throws -> T
    ) async throws -> T {
        if let container, try await accounts.reader().container(named: container) == nil {
            throw Complaint.noContainer(container, known: try await accounts.containers.all().map(\.name))
        }
        for _ in 0..<Self.attempts {
            do {
                return try await withLock(onFiles)
            } catch is FileLock.Held {
                if let server = RunningServer(on: folder) {
                    return try await server.withClient(for: container, name: Self.who, accounts, throughServer)
                }
            }
            try await Task.sleep(for: Self.pause)
        }
        throw Complaint("another command is working on \(folder.path); try again when it is done")
    }

    private func operations(stores: ContainerStores?) throws -> StoreOperations {
        var workplace = Workplace(
            folder: folder, accounts: accounts, stores: stores, limits: settings.server.limits)
        workplace.settings = listing
        workplace.passwords = settings.server.passwords
        workplace.report = report
        if let stores {
            workplace.rehearse =
                Rehearsal(
                    accounts: accounts, stores: stores, limits: settings.server.limits,
                    links: try AssetLinks(accounts: accounts, lifetime: settings.server.assetLinkLifetime), origin: ""
                ).run
        }
        workplace.webhookDoubt =
            WebhookAddresses(allowPrivate: settings.server.webhooks.allowPrivateAddresses).doubt(about:)
        workplace.examine = { [accounts, settings] in
            await ProviderExamination(
                of: $0, ProviderConnections(accounts: accounts, settings.server.providers),
                publicURL: settings.server.publicURL
            ).steps()
        }
        return StoreOperations(workplace: workplace, identity: OperatorIdentity(name: Self.who))
    }

    /// The local user's name, for the audit log.
    private static var who: String { "command by \(NSUserName())" }

    private func withLock<T>(_ body: (StoreOperations) async throws -> T) async throws -> T {
        let lock = try FileLock(path: folder.lockFile, wait: false)
        defer { lock.release() }
        try lock.note(Self.commandNote)
        let stores = ContainerStores(folder: folder, accounts: accounts, previews: nil, limits: settings.server.limits)
        let result: Result<T, any Error>
        do { result = .success(try await body(try operations(stores: stores))) } catch { result = .failure(error) }
        try await stores.close()
        return try result.get()
    }
}

extension LocalOperations {
    /// The origin of the server on the data folder; nil without a running server.
    var origin: String? { isServed ? RunningServer(on: folder)?.origin : nil }

    /// Whether a server is running on the data folder.
    var isServed: Bool {
        do {
            try FileLock(path: folder.lockFile, wait: false).release()
            return false
        } catch {
            return FileLock.note(at: folder.lockFile) != Self.commandNote
        }
    }
}
