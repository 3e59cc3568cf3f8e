package import CloudAccounts
package import CloudEngine
package import CloudModel
package import CloudStore
package import CloudTransfer

/// The stores and settings for operations.
package struct Workplace: Sendable {
    package let folder: DataFolder
    package let accounts: AccountStore
    /// Nil if another process has the environments open; operations on environments then fail.
    package let stores: ContainerStores?
    package let limits: Limits
    /// All settings with their sources; empty if unavailable.
    package var settings: [SettingInfo] = []
    /// Whether people sign in with passwords.
    package var passwords = PasswordPolicy.on
    /// Prepares a record for display, with download links for its assets.
    package var shown: @Sendable (Container, ContainerEnvironment, RecordBody) -> RecordBody = { $2.withoutDownloads }
    /// Makes a URL for a single upload; nil outside a server.
    package var uploadLink: (@Sendable (Container, ContainerEnvironment, UploadTicket) -> String)?
    /// Refuses undeliverable webhook hosts; returns the reason for a doubtful host.
    package var webhookDoubt: @Sendable (_ host: String) async throws -> String? = { _ in nil }
    /// Asks a provider of sign-in for all that a sign-in needs.
    package var examine: @Sendable (SignInProvider) async -> [ProviderStep] = { _ in [] }
    /// The server's backups; nil if backups are off.
    package var backups: (any BackupKeeping)?
    /// Mails a user about their account; nil outside a server.
    package var mail: (@Sendable (PersonMail, UserAccount) async throws -> Void)?
    /// Rehearses a request without side effects; nil without open stores.
    package var rehearse: (@Sendable (RehearsedRequest) async throws -> RehearsalInfo)?
    /// Reports the progress of long operations.
    package var report: ReportProgress = { _ in }

    package init(folder: DataFolder, accounts: AccountStore, stores: ContainerStores?, limits: Limits) {
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
    }
}

extension OperationCall {
    /// - Throws: `NOT_FOUND` for an unknown container.
    func container(_ name: String) async throws -> Container { try await accounts.containers.require(named: name) }

    /// The environment at an address.
    func place(_ address: EnvironmentAddress) async throws -> EnvironmentPlace {
        try await place(address.environment, of: container(address.container))
    }

    func place(_ environment: ContainerEnvironment, of container: Container) async throws -> EnvironmentPlace {
        guard let stores = workplace.stores else {
            throw ServerError(
                .internalError, "an operation inside an environment was run beside its server", .server(.fault))
        }
        return EnvironmentPlace(
            container: container, environment: environment,
            store: try await stores.store(container: container, environment: environment))
    }
}

/// A container's environment and its store.
struct EnvironmentPlace: Sendable {
    let container: Container
    let environment: ContainerEnvironment
    let store: EnvironmentStore
}
