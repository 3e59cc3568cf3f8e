import CloudModel

/// The writer's costs of subscriptions, by user, so that nobody's can hold up everybody's writes.
///
/// A user has a small amount in each request, which is about what a write costs anyway, and a larger one for all
/// requests of some seconds. Counted are points rather than time, so that the same requests always come out the same.
///
/// Used on the write door's queue only. It is in memory: what an undone request has cost was spent all the same.
final class NotificationBudget {
    /// The costs of work. A point is some microseconds.
    enum Cost {
        /// A message queued for one device.
        static let message = 20
        /// A subscription looked at.
        static let candidate = 1
        /// A query asked of a record, without the time to compile it.
        static let question = 4
        /// Compiling a query that was not asked lately.
        static let statement = 40
        /// Bytes of a query or of texts that one more point stands for.
        static let bytes = 64
    }

    private struct Account {
        var request = 0
        var inRequest = 0
        /// The time when `spent` began to be counted.
        var since: Timestamp
        var spent = 0
    }

    private static let mostKept = 10_000
    private var accounts: [String: Account] = [:]

    /// - Parameter request: a number that each request has of its own.
    /// - Returns: whether the user has something left.
    func charge(_ points: Int, to user: String, request: Int, in context: WriteContext) -> Bool {
        let free = context.messagesPerRequest * Cost.message
        var account = accounts[user] ?? Account(since: context.now)
        if account.request != request { (account.request, account.inRequest) = (request, 0) }
        // Clocks are set back, too.
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
