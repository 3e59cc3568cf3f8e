import CloudEngine

/// The jobs of a server that watch the accounts, or that servers with one database share.
package struct AccountJobs: Sendable {
    let database: AccountDatabase
    let locks: (any EngineLocks)?
    let writes: AccountWrites

    /// Returns at once if a program may have changed the accounts within the last seconds, else at the next write.
    package func restUntilWritten() async { await writes.wait() }

    /// Like ``restUntilWritten()``, for jobs that one server does for all. If servers share a database, returns at least once a
    /// second, so that the caller can check ``isOurs(_:)``.
    package func restUntilWrittenOrHandedOver() async {
        await writes.wait(within: locks == nil ? .seconds(3600) : .seconds(1))
    }

    /// Whether this server does a shared job, which one server does at a time.
    package func isOurs(_ job: String) async throws -> Bool {
        guard let locks else { return true }
        return try await database.engine.call { try locks.hold("job " + job, shared: false) }
    }
}
