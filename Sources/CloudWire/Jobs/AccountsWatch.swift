import CloudAccounts
import CloudHTTP
import Logging

/// Polls the accounts for changes: a change is noticed within a quarter of a second, and polling pauses while nothing
/// is written.
struct AccountsWatch: Sendable {
    let accounts: AccountStore
    /// The line logged when a reaction fails.
    let failure: String
    let logger: Logger

    /// The polling interval; reading the accounts' revision takes microseconds.
    private static let interval = Duration.milliseconds(250)

    /// Calls `react` as ``run(_:)`` does, and also when a shared job moves to or from this server.
    ///
    /// - Parameter react: receives whether the job is this server's.
    func run(job name: String, _ react: (_ isOurs: Bool) async throws -> Void) async {
        var seen: (revision: Int64, isOurs: Bool)?
        let job = PeriodicJob(every: Self.interval, after: .zero, failure: failure, logger: logger)
        await job.run(rest: { await accounts.jobs.restUntilWrittenOrHandedOver() }) {
            let now = (revision: try await accounts.revision(), isOurs: try await accounts.jobs.isOurs(name))
            if seen == nil || now != seen ?? now { try await react(now.isOurs) }
            seen = now
        }
    }

    /// Calls `react` at the start and after each change, until the task is cancelled. A failed reaction is retried.
    func run(_ react: () async throws -> Void) async {
        var seen: Int64?
        let job = PeriodicJob(every: Self.interval, after: .zero, failure: failure, logger: logger)
        await job.run(rest: { await accounts.jobs.restUntilWritten() }) {
            let revision = try await accounts.revision()
            if revision != seen { try await react() }
            seen = revision
        }
    }
}
