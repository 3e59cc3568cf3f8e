package import CloudModel
import CloudCrypto
import Synchronization

/// Containers, API tokens, keys, accounts and sessions, in one SQLite file that a server and management commands may use at the
/// same time.
///
/// Requests look up credentials through ``reader()``, which answers from memory until a process changes credentials. Writes
/// return once they are on disk.
package final class AccountStore: Sendable {
    let pool: any SQLPool
    let lookups: AccountLookups
    let cache: AccountCache
    let passwordWork: PasswordWork
    let uses = NotedUses()
    /// The clock that sessions expire by.
    package let now: Now
    package let sessionLifetimes: SessionLifetimes
    private let file: OpenedFile
    let engine: any StoreEngine
    private let locks: (any EngineLocks)?
    private let writes = AccountWrites()
    /// Keeps ``writes`` informed of commits; nil for an engine without such reports.
    private let tellsWrites: (any Sendable)?
    private let isLost = Atomic(false)
    /// Keys handed out so far, by purpose. Keys never change.
    let secrets = Mutex<[String: SymmetricKey]>([:])

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
        pool = try folder.engine.openAccounts(path)
        try AccountMigrations.run(on: pool, in: folder)
        try AssetsLocation.claim(folder, pool)
        lookups = AccountLookups(
            try folder.engine.openAccountsForReading(path), respondsAtOnce: folder.engine.respondsAtOnce)
        cache = AccountCache(probe: try folder.engine.watchAccounts(path))
        passwordWork = PasswordWork(cost: passwordCost)
        self.sessionLifetimes = sessionLifetimes
        now = folder.now
        engine = folder.engine
        locks = folder.engine.locks
        file = try OpenedFile(path: path, engine: folder.engine, place: "the server") { _ in }
        tellsWrites = folder.engine.writesOfAccounts(path) { [writes] in writes.note(isTold: $0) }
        if tellsWrites == nil { writes.note(isTold: false) }
    }

    /// Returns at once if a program may have changed the accounts within the last seconds, else at the next write.
    package func restUntilWritten() async { await writes.wait() }

    /// Like ``restUntilWritten()``, for jobs that one server does for all. If servers share a database, returns at least once a
    /// second, so that the caller can check ``isOurs(job:)``.
    package func restUntilWrittenOrHandedOver() async {
        await writes.wait(within: locks == nil ? .seconds(3600) : .seconds(1))
    }

    /// The fault of the accounts file; nil if the file is sound. After a fault, requests are refused.
    func fault() -> StoreFault? {
        let fault = file.fault
        isLost.store(fault != nil, ordering: .relaxed)
        return fault
    }

    /// Whether this server does a shared job, which one server does at a time.
    package func isOurs(job: String) async throws -> Bool {
        guard let locks else { return true }
        return try await engine.call { try locks.hold("job " + job, shared: false) }
    }

    /// Bytes of the accounts file's log.
    package var logBytes: Int64 { file.logBytes }

    /// Writes pending notes, checkpoints the log and closes the file. No call may follow.
    package func close() throws {
        // A failure to write notes must not keep the file open.
        try? writeUsesBlocking()
        try lookups.close()
        try pool.checkpoint()
        try pool.close()
    }

    /// A number that increases when cached data is outdated: credentials, containers, webhooks.
    package func revision() async throws -> Int64 { try await cache.validate().changes }

    /// Has the next request count changes of other processes.
    func readAnew() { cache.readAnew() }

    /// Takes a snapshot of the credentials, for one request. Takes some microseconds, except the first after a change on a
    /// database server.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if the accounts file is missing, or if the database has not answered for some seconds.
    package func reader() async throws -> AccountReader {
        try refuseIfLost()
        return AccountReader(store: self, state: try await cache.validate())
    }

    /// Like ``reader()``, but returns nil instead of waiting for the database.
    package func readerAtHand() throws -> AccountReader? {
        try refuseIfLost()
        return try cache.known().map { AccountReader(store: self, state: $0) }
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
