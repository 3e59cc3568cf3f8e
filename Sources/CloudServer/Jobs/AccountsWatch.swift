import CloudStore
import Logging

/// Notices within a quarter of a second when something in the accounts has changed, and rests while nothing is written
/// there.
struct AccountsWatch: Sendable {
    let accounts: AccountStore
    /// The line that is logged when a reaction fails.
    let failure: String
    let logger: Logger

    /// The time between two looks at the revision of the accounts, which costs microseconds.
    private static let interval = Duration.milliseconds(250)

    /// Calls `react` as ``run(_:)`` does, and when a job that servers share becomes this one's or another's.
    ///
    /// - Parameter react: told whether it is this server's.
    func run(job name: String, _ react: (_ isOurs: Bool) async throws -> Void) async {
        var seen: (revision: Int64, isOurs: Bool)?
        let job = PeriodicJob(every: Self.interval, after: .zero, failure: failure, logger: logger)
        await job.run(rest: { await accounts.restUntilWrittenOrHandedOver() }) {
            let now = (revision: try await accounts.revision(), isOurs: try await accounts.isOurs(job: name))
            if seen == nil || now != seen ?? now { try await react(now.isOurs) }
            seen = now
        }
    }

    /// Calls `react` at first, and after each change until the task is cancelled. What fails is tried again.
    func run(_ react: () async throws -> Void) async {
        var seen: Int64?
        let job = PeriodicJob(every: Self.interval, after: .zero, failure: failure, logger: logger)
        await job.run(rest: { await accounts.restUntilWritten() }) {
            let revision = try await accounts.revision()
            if revision != seen { try await react() }
            seen = revision
        }
    }
}
