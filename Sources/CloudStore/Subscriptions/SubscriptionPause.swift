import CloudModel
import CloudSQL

/// A pause of one user's subscriptions, which exceeded their budget.
///
/// Paused subscriptions are not looked up, so they cost nothing. When a pause ends, each device of the user gets one message
/// about pruned notifications. The row is written in the commit of the change that began the pause, so a crash cannot lose
/// that message.
enum SubscriptionPause {
    static let sql = Layout(
        sqlite: """
            -- is_paused: no change asks for them, since their user's have cost too much.
            ALTER TABLE subscriptions ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
            DROP INDEX subscriptions_public;
            DROP INDEX subscriptions_private;
            DROP INDEX subscriptions_changes;
            CREATE INDEX subscriptions_public ON subscriptions (record_type, bucket_field, bucket_value)
                WHERE kind = 1 AND scope = 2 AND is_paused = 0;
            CREATE INDEX subscriptions_private ON subscriptions (user, record_type, bucket_field, bucket_value, zone)
                WHERE kind = 1 AND scope = 1 AND is_paused = 0;
            CREATE INDEX subscriptions_changes ON subscriptions (user, scope, zone) WHERE kind > 1 AND is_paused = 0;
            -- ends: milliseconds since 1970-01-01Z. body: what the user's devices are told then.
            CREATE TABLE subscription_pauses (
                user TEXT PRIMARY KEY,
                ends INTEGER NOT NULL,
                body BLOB NOT NULL
            ) WITHOUT ROWID;
            """,
        postgres: """
            ALTER TABLE subscriptions ADD COLUMN is_paused BIGINT NOT NULL DEFAULT 0;
            DROP INDEX subscriptions_public;
            DROP INDEX subscriptions_private;
            DROP INDEX subscriptions_changes;
            CREATE INDEX subscriptions_public ON subscriptions (record_type, bucket_field, bucket_value)
                WHERE kind = 1 AND scope = 2 AND is_paused = 0;
            CREATE INDEX subscriptions_private ON subscriptions ("user", record_type, bucket_field, bucket_value, zone)
                WHERE kind = 1 AND scope = 1 AND is_paused = 0;
            CREATE INDEX subscriptions_changes ON subscriptions ("user", scope, zone) WHERE kind > 1 AND is_paused = 0;
            CREATE TABLE subscription_pauses (
                "user" TEXT COLLATE "C" PRIMARY KEY,
                ends BIGINT NOT NULL,
                body BYTEA NOT NULL
            );
            """)

    static func users(_ db: SQLConnection) throws -> Set<String> {
        var users: Set<String> = []
        try db.each("SELECT \"user\" FROM subscription_pauses", []) {
            users.insert($0.text(0))
            return true
        }
        return users
    }

    /// The user whose pause ends first, and its end.
    static func first(_ db: SQLConnection) throws -> (user: String, ends: Timestamp)? {
        try db.first("SELECT \"user\", ends FROM subscription_pauses ORDER BY ends, \"user\" LIMIT 1") {
            ($0.text(0), $0.timestamp(1))
        }
    }

    /// Makes all pauses due now: the budgets of an earlier run are lost.
    static func endAll(_ db: SQLConnection) throws {
        try db.run("UPDATE subscription_pauses SET ends = 0 WHERE ends <> 0")
    }

    /// Ends a user's pause and notifies all of the user's devices.
    static func end(of user: String, _ transaction: WriteTransaction) throws {
        let body = try transaction.db.first(
            "DELETE FROM subscription_pauses WHERE \"user\" = ? RETURNING body", .text(user)
        ) {
            $0.blob(0)
        }
        guard let body else { return }
        try SubscriptionTable.setPaused(false, user: user, transaction)
        transaction.subscribers.removePause(of: user)
        try transaction.announcer.announce(Announcement(user: user, isPruned: true) { _ in body })
    }
}

extension WriteTransaction {
    var charges: SubscriptionCharges { SubscriptionCharges(transaction: self) }
}

/// Charges the costs of subscriptions to their users' budgets.
struct SubscriptionCharges {
    let transaction: WriteTransaction

    /// Charges a subscription's cost to its user's budget; pauses the user's subscriptions when the budget is used up.
    ///
    /// - Parameter message: a message of the subscription, from which a pause makes its own text.
    /// - Returns: whether to continue.
    func charge(_ points: Int, to user: String, for message: @autoclosure () -> SubscriptionMessage) throws -> Bool {
        if transaction.subscribers.paused.contains(user) { return false }
        if mayPay(points, user: user) { return true }
        try pause(user, telling: message())
        return false
    }

    /// Charges a subscription's cost to its user's budget.
    ///
    /// - Returns: false when the budget is used up; then call ``pause(_:telling:)``.
    func mayPay(_ points: Int, user: String) -> Bool {
        if transaction.isDry { return true }
        guard let context = transaction.context else { return true }
        return transaction.subscribers.budget.charge(points, to: user, request: transaction.request, in: context)
    }

    /// Pauses a user's subscriptions.
    ///
    /// - Parameter message: a message of a subscription, from which the pause makes its own text.
    func pause(_ user: String, telling message: SubscriptionMessage) throws {
        guard let context = transaction.context else { return }
        try transaction.db.run(
            "INSERT INTO subscription_pauses (\"user\", ends, body) VALUES (?, ?, ?)", .text(user),
            .timestamp(context.now + context.pause), .blob(message.pruned))
        try SubscriptionTable.setPaused(true, user: user, transaction)
        transaction.subscribers.addPause(of: user)
    }
}
