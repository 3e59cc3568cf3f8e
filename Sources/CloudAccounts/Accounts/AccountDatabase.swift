import CloudCrypto
package import CloudEngine
import CloudModel
import CloudSQL
import Synchronization

/// The connections, caches and clock that the parts of ``AccountStore`` share.
package final class AccountDatabase: Sendable {
    package let pool: any SQLPool
    let lookups: AccountLookups
    let cache: AccountCache
    package let passwordWork: PasswordWork
    let uses = NotedUses()
    /// The clock that sessions expire by.
    let now: Now
    let sessionLifetimes: SessionLifetimes
    let engine: any StoreEngine
    /// Keys handed out so far, by purpose. Keys never change.
    let secrets = Mutex<[String: SymmetricKey]>([:])

    /// Opens the accounts of a folder, creating or migrating their tables as needed.
    init(_ folder: DataFolder, _ sessionLifetimes: SessionLifetimes, _ passwordWork: PasswordWork) throws {
        engine = folder.engine
        let path = folder.accountsFile
        pool = try engine.opener.openAccounts(path)
        try AccountMigrations.run(on: pool, in: folder)
        try AssetsLocation.claim(folder, pool)
        lookups = AccountLookups(try engine.opener.openAccountsForReading(path), respondsAtOnce: engine.respondsAtOnce)
        cache = AccountCache(probe: try engine.opener.watchAccounts(path))
        self.passwordWork = passwordWork
        now = folder.now
        self.sessionLifetimes = sessionLifetimes
    }

    /// Takes a snapshot of the credentials.
    func reader() async throws -> AccountReader {
        AccountReader(database: self, state: try await cache.validate())
    }

    /// Checkpoints the log and closes the connections. No call may follow.
    func close() throws {
        try lookups.close()
        try pool.checkpoint()
        try pool.close()
    }
}
