import CloudModel
import CloudServer
import CloudStore
import Foundation

/// Administration of a data folder of this machine: on its files while no server serves it, else through that server.
struct LocalAdministration: Sendable {
    let settings: Settings
    let container: String
    let environment: ContainerEnvironment

    /// The note that a command leaves in the lock's file while it holds the lock.
    static let commandNote = "command"
    /// The time that a command's own token is good for, should the command not live to take it back.
    private static let tokenLifetime = Duration.seconds(3600)
    /// The number of attempts at the lock and the pause between them, while its holder is no server to speak to:
    /// another command, or a server that does not listen yet.
    private static let (attempts, pause) = (100, Duration.milliseconds(100))

    func run<T>(_ body: (any Administration) async throws -> T) async throws -> T {
        guard FileManager.default.fileExists(atPath: settings.data + "/accounts.sqlite") else {
            throw Complaint(
                "there is no data in \(settings.data) yet; name the folder with --data, or begin with "
                    + "'cumulus container create'")
        }
        let folder = try settings.dataFolder()
        let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
        guard let known = try accounts.reader().container(named: container) else {
            throw Complaint("container '\(container)' does not exist; 'cumulus container create' makes one")
        }
        for _ in 0..<Self.attempts {
            do {
                return try await onFiles(folder, accounts, known, body)
            } catch is FileLock.Held {
                let note = FileLock.note(at: folder.lockFile)
                if note.hasPrefix("http") { return try await throughServer(note, accounts, body) }
            }
            try await Task.sleep(for: Self.pause)
        }
        throw Complaint("another command is working on \(folder.path); try again when it is done")
    }

    private func onFiles<T>(
        _ folder: DataFolder, _ accounts: AccountStore, _ known: Container,
        _ body: (any Administration) async throws -> T
    ) async throws -> T {
        let lock = try FileLock(path: folder.lockFile, wait: false)
        defer { lock.release() }
        try lock.note(Self.commandNote)
        let stores = ContainerStores(
            folder: folder, accounts: accounts, previews: nil, limits: settings.server.limits)
        let result: Result<T, any Error>
        do {
            result = .success(
                try await body(
                    StoreAdministration(
                        container: known, environment: environment, accounts: accounts, stores: stores,
                        limits: settings.server.limits)))
        } catch {
            result = .failure(error)
        }
        try await stores.close()
        return try result.get()
    }

    /// With a token of the command's own, which ends with it.
    private func throughServer<T>(
        _ origin: String, _ accounts: AccountStore, _ body: (any Administration) async throws -> T
    ) async throws -> T {
        let (text, token) = try await accounts.createManagementToken(
            container: container, name: "a command", lifetime: Self.tokenLifetime)
        let result: Result<T, any Error>
        do {
            result = .success(
                try await body(
                    try RemoteAdministration(origin: origin, token: text, container: container, environment)))
        } catch {
            result = .failure(error)
        }
        // Deleted or expired meanwhile is as good.
        try? await accounts.revokeManagementToken(id: token.id)
        return try result.get()
    }
}
