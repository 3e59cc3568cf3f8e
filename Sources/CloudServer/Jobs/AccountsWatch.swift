import CloudStore
import Logging

/// Notices within a quarter of a second when something in the accounts has changed.
struct AccountsWatch: Sendable {
    let accounts: AccountStore
    /// The line that is logged when a reaction fails.
    let failure: String
    let logger: Logger

    /// The time between two looks at the revision of the accounts, which costs microseconds.
    private static let interval = Duration.milliseconds(250)

    /// Calls `react` at first, and after each change until the task is cancelled. What fails is tried again.
    func run(_ react: () async throws -> Void) async {
        var seen: Int64?
        await PeriodicJob(every: Self.interval, after: .zero, failure: failure, logger: logger).run {
            let revision = try accounts.revision()
            if revision != seen { try await react() }
            seen = revision
        }
    }
}
