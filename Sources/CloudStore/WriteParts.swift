import CloudModel
import CloudSQL

extension WriteTransaction {
    /// Makes a transaction with the parts that features keep while requests are written to an environment.
    ///
    /// - Parameters:
    ///   - published: told of the schema of each commit.
    ///   - names: told of new public records that have a page; nil where nothing is noted.
    ///   - container: the container's name, which notifications give.
    ///   - left: where this process stopped writing the file before; nil when it did not write it.
    ///   - onQueue: called after a commit with the messages that it queued.
    ///   - onNotify: called after a commit with the push tokens that got a message.
    ///   - awaited: finds the push tokens whose polls wait here.
    ///   - onWork: called after a commit that left something of a schema change for later.
    ///   - onPause: called after a commit that began a pause of a user's subscriptions.
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
