package import CloudEngine
package import CloudModel
import Synchronization

/// Containers, credentials, accounts and sessions, with a part for each, in one database that a server and management commands
/// may use at the same time.
///
/// Requests look up credentials through ``reader()``, which answers from memory until a process changes credentials. Writes
/// return once they are on disk.
package final class AccountStore: Sendable {
    package let database: AccountDatabase
    private let file: OpenedFile
    private let locks: (any EngineLocks)?
    private let writes = AccountWrites()
    /// Keeps ``writes`` informed of commits; nil for an engine without such reports.
    private let tellsWrites: (any Sendable)?
    private let isLost = Atomic(false)

    /// scrypt's cost as a power of two: a password's hash takes about 0.1 s and 32 MiB.
    package static let passwordCost = 15

    /// Opens the accounts of `folder`, and creates the file if missing.
    ///
    /// - Parameters:
    ///   - passwordCost: scrypt's cost for new passwords. Only tests set a lower cost.
    /// - Throws: ``NewerDatabase`` if a later version of the program wrote the file, or the database's own error.
    package init(
        folder: DataFolder, sessionLifetimes: SessionLifetimes = SessionLifetimes(),
        passwordCost: Int = AccountStore.passwordCost
    ) throws {
        let path = folder.accountsFile
        try folder.refuseUnfinishedRestore()
        try folder.refuseLostAccounts()
        // Two processes that find an empty file must not both create the tables.
        let opening = try FileLock(path: path + ".opening", wait: true)
        defer { opening.release() }
        database = try AccountDatabase(folder, sessionLifetimes, PasswordWork(cost: passwordCost))
        locks = folder.engine.locks
        file = try OpenedFile(path: path, locations: folder.engine.locations, place: "the server") { _ in }
        tellsWrites = folder.engine.opener.writesOfAccounts(path) { [writes] in writes.note(isTold: $0) }
        if tellsWrites == nil { writes.note(isTold: false) }
    }

    package var containers: Containers { Containers(database: database) }
    package var environments: ContainerEnvironments { ContainerEnvironments(database: database) }
    package var apiTokens: APITokens { APITokens(database: database) }
    package var serverKeys: ServerKeys { ServerKeys(database: database) }
    package var managementTokens: ManagementTokens { ManagementTokens(database: database) }
    package var secrets: ServerSecrets { ServerSecrets(database: database) }
    package var users: UserAccounts { UserAccounts(database: database) }
    package var people: ContainerUsers { ContainerUsers(database: database) }
    package var registrations: Registrations { Registrations(database: database) }
    package var passwordResets: PasswordResets { PasswordResets(database: database) }
    package var sessions: WebSessions { WebSessions(database: database) }
    package var browserLogins: BrowserLogins { BrowserLogins(database: database) }
    package var pushTokens: PushTokens { PushTokens(database: database) }
    package var operators: Operators { Operators(database: database) }
    package var consoleLogins: ConsoleLogins { ConsoleLogins(database: database) }
    package var credentials: Credentials { Credentials(database: database) }
    package var webhooks: Webhooks { Webhooks(database: database) }
    package var pageRules: PageRules { PageRules(database: database) }
    package var audit: AuditLog { AuditLog(database: database) }

    /// The clock that sessions expire by.
    package var now: Now { database.now }
    package var sessionLifetimes: SessionLifetimes { database.sessionLifetimes }

    /// The jobs that watch the accounts, or that servers share.
    package var jobs: AccountJobs { AccountJobs(database: database, locks: locks, writes: writes) }

    /// The fault of the accounts file; nil if the file is sound. After a fault, requests are refused.
    package func fault() -> StoreFault? {
        let fault = file.fault
        isLost.store(fault != nil, ordering: .relaxed)
        return fault
    }

    /// Bytes of the accounts file's log.
    package var logBytes: Int64 { file.logBytes }

    /// Writes the noted uses to the database.
    package func writeUses() async throws { try await database.writeUses() }

    /// Writes pending notes, checkpoints the log and closes the file. No call may follow.
    package func close() throws {
        // A failure to write notes must not keep the file open.
        try? database.writeUsesBlocking()
        try database.close()
    }

    /// A number that increases when cached data is outdated: credentials, containers, webhooks.
    package func revision() async throws -> Int64 { try await database.cache.validate().changes }

    /// Has the next request count changes of other processes.
    package func readAnew() { database.cache.readAnew() }

    /// Takes a snapshot of the credentials, for one request. Takes some microseconds, except the first after a change on a
    /// database server.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if the accounts file is missing, or if the database has not answered for some seconds.
    package func reader() async throws -> AccountReader {
        try refuseIfLost()
        return try await database.reader()
    }

    /// Like ``reader()``, but returns nil instead of waiting for the database.
    package func readerAtHand() throws -> AccountReader? {
        try refuseIfLost()
        return try database.cache.known().map { AccountReader(database: database, state: $0) }
    }

    private func refuseIfLost() throws {
        if isLost.load(ordering: .relaxed) { throw file.refusal(of: file.fault ?? .missing) }
    }
}

/// The lifetime of a web session after its last use (reference B §3.4).
package struct SessionLifetimes: Hashable, Sendable {
    package var ordinary: Duration
    /// For a user who asked to stay signed in.
    package var persistent: Duration

    package init(ordinary: Duration = .seconds(30 * 60), persistent: Duration = .seconds(14 * 24 * 3600)) {
        self.ordinary = ordinary
        self.persistent = persistent
    }

    func lifetime(persistent: Bool) -> Duration { persistent ? self.persistent : ordinary }
}
