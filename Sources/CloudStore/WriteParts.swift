import CloudModel
import CloudSQL

extension WriteTransaction {
    /// Makes a transaction with every feature's write state for an environment.
    ///
    /// - Parameters:
    ///   - published: receives the schema of each commit.
    ///   - names: receives new public records with a page; nil if names are not indexed.
    ///   - container: the container's name for notifications.
    ///   - left: the point where this process last stopped writing; nil if it never wrote.
    ///   - onQueue: called after a commit with its queued messages.
    ///   - onNotify: called after a commit with the push tokens that got a message.
    ///   - awaited: finds push tokens with a waiting poll.
    ///   - onWork: called after a commit that left background schema work.
    ///   - onPause: called after a commit that paused a user's subscriptions.
    convenience init(
        db: SQLConnection, published: PublishedCatalog, names: PublishedNames? = nil,
        roleMemory: RoleMemory = RoleMemory(), container: String,
        left: EpochMemory.Left? = nil, pace: BuildPace = BuildPace(), now: @escaping Now,
        onQueue: @escaping LogMessages = { _ in }, onNotify: @escaping NotifyTokens = { _, _ in },
        awaited: @escaping AwaitedTokens = { _ in [] },
        onWork: @escaping @Sendable () -> Void = {}, onPause: @escaping @Sendable () -> Void = {}
    ) throws {
        let ids = RowIDs()
        let subscribers = try SubscriberPart(container: container, onPause: onPause, db)
        self.init(
            db,
            parts: [
                try SchemaPart(published, pace: pace, onWork: onWork, db), RolePart(roleMemory), WordPart(),
                ids, PrefetchedRecords(),
                try Positions(left: left, ids: ids, now: now, db), ZonePart(), SharePart(), UsagePart(), subscribers,
                MessagePart(onQueue, onNotify, awaited), PublishedNamePart(names),
            ], listener: subscribers)
    }
}
