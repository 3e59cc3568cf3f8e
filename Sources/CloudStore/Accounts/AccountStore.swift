package import CloudModel
import CloudCrypto
import Synchronization

/// Containers, API tokens, keys, accounts and sessions: one SQLite file that a server and any number of
/// management commands use at the same time.
///
/// Reads on the way of every request go through ``reader()``, which answers from memory as long as no process
/// has changed anything that matters. Writes return once they are on disk.
package final class AccountStore: Sendable {
    let pool: any SQLPool
    let lookups: AccountLookups
    let cache: AccountCache
    let passwordWork: PasswordWork
    let uses = NotedUses()
    /// Sessions expire by it.
    package let now: Now
    package let sessionLifetimes: SessionLifetimes
    private let file: OpenedFile
    let engine: any StoreEngine
    private let locks: (any EngineLocks)?
    private let writes = AccountWrites()
    /// Tells ``writes``; nil where nobody does.
    private let tellsWrites: (any Sendable)?
    private let isLost = Atomic(false)
    /// The keys that were asked for, by purpose: they never change.
    let secrets = Mutex<[String: SymmetricKey]>([:])

    /// The power of two of scrypt's rounds that make a password's hash take about a tenth of a second and 32 MiB.
    package static let passwordCost = 15

    /// Opens the accounts of `folder`, making the file when it is not there.
    ///
    /// - Parameters:
    ///   - passwordCost: of new passwords. Less than the usual is for tests only.
    /// - Throws: ``NewerDatabase`` when a later version of the program wrote the file, or the
    ///   database's own error.
    package init(
        folder: DataFolder, sessionLifetimes: SessionLifetimes = SessionLifetimes(),
        passwordCost: Int = AccountStore.passwordCost
    ) throws {
        let path = folder.accountsFile
        try folder.refuseUnfinishedRestore()
        try folder.refuseLostAccounts()
        // Two processes that both find an empty file must not both lay it out.
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

    /// Returns at once where some program may have changed the accounts within the last seconds, else when one does.
    package func restUntilWritten() async { await writes.wait() }

    /// The same for who does a job that servers share, and looks once a second whether it is this server's.
    package func restUntilWrittenOrHandedOver() async {
        await writes.wait(within: locks == nil ? .seconds(3600) : .seconds(1))
    }

    /// The fault of the accounts' file; nil when it has none. Where it has gone, requests are refused from now on.
    func fault() -> StoreFault? {
        let fault = file.fault
        isLost.store(fault != nil, ordering: .relaxed)
        return fault
    }

    /// Whether this server is the one to do a job that servers share, which one of them does at a time.
    package func isOurs(job: String) async throws -> Bool {
        guard let locks else { return true }
        return try await engine.call { try locks.hold("job " + job, shared: false) }
    }

    /// Bytes of the accounts' log.
    package var logBytes: Int64 { file.logBytes }

    /// Writes what was only noted, brings the log back into the file and lets go of it. No call may follow.
    package func close() throws {
        // Notes that cannot be written must not keep the file open.
        try? writeUsesBlocking()
        try lookups.close()
        try pool.checkpoint()
        try pool.close()
    }

    /// A number that moves when what a process may hold in memory has changed: credentials, containers, webhooks.
    package func revision() async throws -> Int64 { try await cache.validate().changes }

    /// Has the next request go by what other processes have changed by now.
    func readAnew() { cache.readAnew() }

    /// A view of the credentials as they are now, for one request. Costs a few microseconds, but for the first after a
    /// change where another program keeps them.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when the accounts' file has been found gone, or their database has not answered for
    ///   some seconds.
    package func reader() async throws -> AccountReader {
        try refuseIfLost()
        return AccountReader(store: self, state: try await cache.validate())
    }

    /// The same without waiting for the database; nil where it would have to be asked.
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
