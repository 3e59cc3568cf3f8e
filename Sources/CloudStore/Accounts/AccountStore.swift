package import Foundation
import GRDB

/// Containers, API tokens, keys, accounts and sessions: one SQLite file that a server and any number of
/// management commands use at the same time.
///
/// Reads on the way of every request go through ``reader()``, which answers from memory as long as no process
/// has changed anything that matters. Writes return once they are on disk.
package final class AccountStore: Sendable {
    let pool: DatabasePool
    /// What requests look up without giving up their thread goes through a connection of its own. The pool's are held
    /// by readers that need a thread to go on, so whoever kept one while waiting for them might wait for ever.
    let lookups: DatabaseQueue
    let cache: AccountCache
    let passwordWork = PasswordWork()
    let clock: @Sendable () -> Date
    package let sessionLifetimes: SessionLifetimes

    /// Opens the accounts of `folder`, making the file when it is not there.
    ///
    /// - Parameter clock: what time it is; sessions expire by it.
    /// - Throws: ``AccountMigrations/Newer`` when a later version of the program wrote the file, or the
    ///   database's own error.
    package init(
        folder: DataFolder, sessionLifetimes: SessionLifetimes = SessionLifetimes(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let path = folder.accountsFile
        // Two processes that both find an empty file must not both lay it out.
        let opening = try FileLock(path: path + ".opening", wait: true)
        defer { opening.release() }
        var configuration = Configuration()
        configuration.label = "accounts"
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        pool = try DatabasePool(path: path, configuration: configuration)
        // The pool settles for NORMAL when it turns WAL on; a revocation must outlive a power cut.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try AccountMigrations.run(on: pool)
        configuration.readonly = true
        lookups = try DatabaseQueue(path: path, configuration: configuration)
        cache = AccountCache(probe: try AccountRevision(path: path))
        self.sessionLifetimes = sessionLifetimes
        self.clock = clock
    }

    /// Brings the log back into the file and lets go of it. No call may follow.
    package func close() throws {
        try lookups.close()
        try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try pool.close()
    }

    /// A number that moves when what a process may hold in memory has changed: credentials, containers, webhooks.
    package func revision() throws -> Int64 { try cache.validate() }

    /// A view of the credentials as they are now, for one request. Costs a few microseconds.
    package func reader() throws -> AccountReader {
        AccountReader(store: self, revision: try cache.validate())
    }
}

/// How long a web session lives after its last use (reference B §3.4), in seconds.
package struct SessionLifetimes: Hashable, Sendable {
    package var ordinary: Double
    /// For a user who asked to stay signed in.
    package var persistent: Double

    package init(ordinary: Double = 30 * 60, persistent: Double = 14 * 24 * 3600) {
        self.ordinary = ordinary
        self.persistent = persistent
    }

    func lifetime(persistent: Bool) -> Double { persistent ? self.persistent : ordinary }
}
