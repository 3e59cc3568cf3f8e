import CloudModel

/// Limits the writer's work on subscriptions per user, so that one user's subscriptions cannot delay all writes.
///
/// A user has a small allowance per request, about the cost of a write, and a larger allowance per period of some seconds.
/// Costs are points rather than time, so that the same requests always have the same outcome.
///
/// Confined to the writer's queue and kept in memory: undone requests are charged as well.
final class NotificationBudget {
    /// Costs in points. A point is some microseconds.
    enum Cost {
        /// A message queued for one device.
        static let message = 20
        /// Examining a subscription.
        static let candidate = 1
        /// Matching a query with a record, without compiling it.
        static let question = 4
        /// Compiling a query that is not cached.
        static let statement = 40
        /// Bytes of queries or texts per further point.
        static let bytes = 64
    }

    private struct Account {
        var request = 0
        var inRequest = 0
        /// The start of the period of `spent`.
        var since: Timestamp
        var spent = 0
    }

    private static let mostKept = 10_000
    private var accounts: [String: Account] = [:]

    /// - Parameter request: a unique number of the request.
    /// - Returns: whether the user is within the budget.
    func charge(_ points: Int, to user: String, request: Int, in context: WriteContext) -> Bool {
        let free = context.messagesPerRequest * Cost.message
        var account = accounts[user] ?? Account(since: context.now)
        if account.request != request { (account.request, account.inRequest) = (request, 0) }
        // The clock may have been set back.
        if !(.zero..<context.pause).contains(context.now - account.since) {
            (account.since, account.spent) = (context.now, 0)
        }
        let before = max(0, account.inRequest - free)
        account.inRequest += points
        account.spent += max(0, account.inRequest - free) - before
        if accounts[user] == nil, accounts.count >= Self.mostKept { accounts.removeAll() }
        accounts[user] = account
        return account.spent <= context.messageBurst * Cost.message
    }
}
